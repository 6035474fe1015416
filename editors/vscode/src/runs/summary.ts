// The text of a message about several triggers. Knows nothing of VS Code.

import type { Trigger } from './protocol';

export type FiredRule = Pick<Trigger, 'rule' | 'ruleUri'>;

/** The rules that fired, each once: two rules may have one name. */
export function distinctRules<Fired extends FiredRule>(fired: readonly Fired[]): readonly Fired[] {
  return [...new Map(fired.map((one) => [`${one.ruleUri}\n${one.rule}`, one])).values()];
}

/** The message about several triggers of `rules`. `folderOf` names the folder of a rule, which tells rules of one name apart. */
export function summary(
  triggers: readonly Pick<Trigger, 'outcome'>[],
  rules: readonly FiredRule[],
  folderOf: (rule: FiredRule) => string,
): string {
  const named = rules.slice(0, rules.length === 4 ? 4 : 3).map((rule) => {
    const isUnique = rules.filter((other) => other.rule === rule.rule).length === 1;
    // The server has escaped the names.
    return `'${plain(rule.rule)}'${isUnique ? '' : ` in ${plain(folderOf(rule))}`}`;
  });
  const more = rules.length - named.length;
  const others = more > 0 ? ` and ${more} others` : '';
  return `TTSR: ${rules.length === 1 ? 'rule' : 'rules'} ${named.join(', ')}${others} fired ${triggers.length} times${outcomes(triggers)}`;
}

function outcomes(triggers: readonly Pick<Trigger, 'outcome'>[]): string {
  const times = new Map<string, number>();
  for (const { outcome } of triggers) {
    if (outcome !== null) times.set(outcome, (times.get(outcome) ?? 0) + 1);
  }
  return times.size === 0 ? '' : ` (${[...times].map(([outcome, number]) => `${number} ${outcome}`).join(', ')})`;
}

/** VS Code renders Markdown links in messages: a name must not become a link. */
function plain(name: string): string {
  return name.replace(/[[\]()<>]/g, ' ');
}

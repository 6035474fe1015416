// Tells a test what this window shows. The test listens on the port in TTSR_PROBE_PORT; both sides speak JSON lines.
// Whatever changes is told at once, so that nobody has to poll.

const net = require('node:net');
const vscode = require('vscode');

function plain(diagnostic) {
  const { range } = diagnostic;
  const code = diagnostic.code;
  return {
    code: typeof code === 'object' ? String(code.value) : String(code),
    href: typeof code === 'object' ? code.target.toString(true) : null,
    severity: diagnostic.severity,
    source: diagnostic.source,
    message: diagnostic.message,
    range: [range.start.line, range.start.character, range.end.line, range.end.character],
    related: (diagnostic.relatedInformation ?? []).map((one) => ({
      message: one.message,
      path: one.location.uri.fsPath,
    })),
  };
}

// Timers of at least this many milliseconds are pauses.
const PAUSE_MS = 1_000;
const startTimer = globalThis.setTimeout;
let heldPauses = [];

// Whether the timer is one of our extension: all extensions share the global functions.
function isOurs() {
  return /ttsr-ls\.ttsr-ls/.test(new Error().stack);
}

const answers = {
  async open({ path, line }) {
    const position = new vscode.Position(line ?? 0, 0);
    await vscode.window.showTextDocument(vscode.Uri.file(path), {
      preview: false,
      selection: new vscode.Range(position, position),
    });
  },
  // Lets no pause of our extension end until they are released, however long the machine takes for what comes between.
  async hold_pauses() {
    globalThis.setTimeout = (callback, wait, ...given) => {
      if (!(wait >= PAUSE_MS) || !isOurs()) return startTimer(callback, wait, ...given);
      const timer = startTimer(() => {}, 2 ** 30);
      timer.unref();
      heldPauses.push({ timer, end: () => callback(...given) });
      return timer;
    };
  },
  async release_pauses() {
    globalThis.setTimeout = startTimer;
    // Not those that were cleared meanwhile.
    const ended = heldPauses.filter(({ timer }) => !timer._destroyed);
    heldPauses = [];
    for (const { timer, end } of ended) {
      clearTimeout(timer);
      end();
    }
  },
  // VS Code sees by itself that a file on the disk changed.
  async reload() {},
  async command({ name, arguments: given }) {
    return (await vscode.commands.executeCommand(name, ...(given ?? []))) ?? null;
  },
  // The active editor, as soon as its text has everything that is wanted.
  async shownText({ wanted }) {
    for (let turn = 0; turn < 2000; turn += 1) {
      const editor = vscode.window.activeTextEditor;
      const text = editor?.document.getText() ?? '';
      if (wanted.every((part) => text.includes(part))) {
        const folded = editor.visibleRanges.map((range) => [range.start.line, range.end.line]);
        return { text, uri: editor.document.uri.toString(true), line: editor.selection.active.line, visible: folded };
      }
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    throw new Error(`not shown: ${JSON.stringify(wanted)}; this is: ${vscode.window.activeTextEditor?.document.getText()}`);
  },
  // A command that waits for the person; its answer is not waited for.
  async start_command({ name, arguments: given }) {
    void vscode.commands.executeCommand(name, ...(given ?? []));
  },
  // Sends a prompt to VS Code's own agent, and answers once it has stopped. The model may appear only later.
  async prompt({ model, text }) {
    const modelSelector = { id: model };
    for (let turn = 0; (await vscode.lm.selectChatModels(modelSelector)).length === 0; turn += 1) {
      if (turn === 400) throw new Error(`there is no model ${model}`);
      await new Promise((resolve) => setTimeout(resolve, 250));
    }
    const options = { query: text, mode: 'agent', modelSelector, blockOnResponse: true };
    await vscode.commands.executeCommand('workbench.action.chat.open', options);
  },
  async select({ start, end }) {
    const place = ([line, character]) => new vscode.Position(line, character);
    vscode.window.activeTextEditor.selection = new vscode.Selection(place(start), place(end));
  },
  async edit({ at, text }) {
    const [line, character] = at;
    await vscode.window.activeTextEditor.edit((change) => change.insert(new vscode.Position(line, character), text));
  },
  // Answers as soon as this is selected in the active editor.
  async until_selected({ selection }) {
    const wanted = JSON.stringify(selection);
    for (;;) {
      const editor = vscode.window.activeTextEditor;
      const { start, end } = editor?.selection ?? { start: {}, end: {} };
      if (JSON.stringify([start.line, start.character, end.line, end.character]) === wanted) return;
      await new Promise((resolve) => vscode.window.onDidChangeTextEditorSelection(resolve));
    }
  },
  async active() {
    const editor = vscode.window.activeTextEditor;
    const { start, end } = editor.selection;
    return {
      path: editor.document.uri.fsPath,
      text: editor.document.getText(),
      selection: [start.line, start.character, end.line, end.character],
    };
  },
  // What a provider of places knows of a position; `name` is that of its command.
  async locations({ name, path, line, character }) {
    const at = [vscode.Uri.file(path), new vscode.Position(line, character)];
    const found = await vscode.commands.executeCommand(`vscode.execute${name}Provider`, ...at);
    return found.map(({ uri, range }) => [uri.fsPath, range.start.line, range.start.character]);
  },
  async hints({ path }) {
    const all = new vscode.Range(0, 0, 1000, 0);
    const found = await vscode.commands.executeCommand('vscode.executeInlayHintProvider', vscode.Uri.file(path), all);
    return found.map((hint) => [hint.position.line, hint.label]);
  },
  async rename({ path, line, character, name }) {
    const at = [vscode.Uri.file(path), new vscode.Position(line, character), name];
    await vscode.workspace.applyEdit(await vscode.commands.executeCommand('vscode.executeDocumentRenameProvider', ...at));
    await vscode.workspace.saveAll();
  },
  async settings({ values }) {
    for (const [name, value] of Object.entries(values)) {
      await vscode.workspace.getConfiguration().update(name, value ?? undefined, vscode.ConfigurationTarget.Global);
    }
  },
  // The value of a setting in a document that is open.
  async setting({ name, uri }) {
    const document = vscode.workspace.textDocuments.find((each) => each.uri.toString(true) === uri);
    return vscode.workspace.getConfiguration(undefined, document).get(name);
  },
  async hover({ path, line, character }) {
    const uri = vscode.Uri.file(path);
    const found = await vscode.commands.executeCommand('vscode.executeHoverProvider', uri, new vscode.Position(line, character));
    return found.map((hover) => hover.contents.map((content) => (typeof content === 'string' ? content : content.value)));
  },
  async complete({ path, line, character }) {
    const uri = vscode.Uri.file(path);
    const name = 'vscode.executeCompletionItemProvider';
    const found = await vscode.commands.executeCommand(name, uri, new vscode.Position(line, character));
    return found.items.map((item) => (typeof item.label === 'string' ? item.label : item.label.label));
  },
  // The titles of the actions on a line; runs the one that is named.
  async actions({ path, line, character, run }) {
    const range = new vscode.Range(line, character ?? 0, line, (character ?? 0) + 1);
    const found = await vscode.commands.executeCommand('vscode.executeCodeActionProvider', vscode.Uri.file(path), range);
    const chosen = found.find((action) => action.title === run);
    if (chosen?.edit !== undefined) await vscode.workspace.applyEdit(chosen.edit);
    if (chosen?.command !== undefined) {
      await vscode.commands.executeCommand(chosen.command.command, ...(chosen.command.arguments ?? []));
    }
    return found.map((action) => action.title);
  },
  // The active tab: its URI, and what shows it.
  async tab() {
    const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
    return { uri: input?.uri?.toString(true), view: input?.viewType ?? null };
  },
  // Types a line in a new terminal.
  async terminal({ line }) {
    vscode.window.createTerminal().sendText(line);
  },
  async open_uri({ uri }) {
    await vscode.commands.executeCommand('vscode.open', vscode.Uri.parse(uri));
  },
};

exports.activate = function activate(context) {
  const socket = net.createConnection(Number(process.env.TTSR_PROBE_PORT), '127.0.0.1');
  const tell = (message) => socket.write(`${JSON.stringify(message)}\n`);
  const tellDiagnostics = (uris) => {
    for (const uri of uris) {
      if (uri.scheme === 'file') {
        tell({ path: uri.fsPath, diagnostics: vscode.languages.getDiagnostics(uri).map(plain) });
      }
    }
  };
  context.subscriptions.push(
    vscode.languages.onDidChangeDiagnostics((change) => tellDiagnostics(change.uris)),
    { dispose: () => socket.destroy() },
  );
  let rest = '';
  socket.setEncoding('utf8');
  socket.on('error', () => {});
  socket.on('data', (data) => {
    const lines = (rest + data).split('\n');
    rest = lines.pop();
    for (const line of lines) {
      const { id, ask, ...given } = JSON.parse(line);
      answers[ask](given).then(
        (answer) => tell({ id, answer: answer ?? null }),
        (error) => tell({ id, error: String(error.stack ?? error) }),
      );
    }
  });
  tell({ ready: true });
  tellDiagnostics(vscode.languages.getDiagnostics().map(([uri]) => uri));
};

// The body of the playground's page. It has no text of a rule or an agent.

export const PLAYGROUND_PAGE = `
<header>
  <h1><span id="rule"></span> <span id="badge" class="silent"></span></h1>
  <p id="summary" role="status" aria-live="polite"></p>
  <div id="remedies" class="row"></div>
</header>
<div class="row">
  <label>The sample is <select id="kind">
    <option value="">a stream in the scope of the rule</option>
    <option value="text">reply text</option>
    <option value="thinking">thinking</option>
    <option value="edit">an edit of the file</option>
    <option value="write">a write of the file</option>
    <option value="bash">a Bash command</option>
  </select></label>
  <label>Delta size <input id="chunk" type="number" min="1" max="10000" value="16"></label>
  <span id="time" title="From the keystroke's request to its answer"></span>
</div>
<p id="note"></p>
<div class="stack">
  <div id="backdrop" aria-hidden="true"></div>
  <textarea id="sample" aria-label="Sample: what the agent produces" spellcheck="false" disabled
    placeholder="Type or paste what an agent would produce."></textarea>
</div>
<div id="answer" hidden>
<div class="row stream" role="group" aria-label="Streaming">
  <button id="first" type="button" aria-label="Before the first delta">|◀</button>
  <button id="back" type="button" aria-label="One delta back">◀</button>
  <button id="play" type="button">Stream</button>
  <button id="next" type="button" aria-label="One delta on">▶</button>
  <input id="slider" type="range" min="0" max="1" value="1" step="1" aria-label="Number of received deltas">
  <span id="place"></span>
</div>
<p id="stable" class="mode"></p>
<p id="reference" class="mode"></p>
<p class="hint"><code>stable</code>: a match counts once no further text can undo it. <code>reference</code>: the conditions
are tried on each delta, as in oh-my-pi.</p>
<h2>Conditions</h2>
<ul id="conditions"></ul>
<h2>Matches and groups</h2>
<ul id="captures"></ul>
<h2>Gates</h2>
<ol id="gates"></ol>
</div>
`;

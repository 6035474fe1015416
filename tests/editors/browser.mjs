// Shows pages in a headless Chromium until its input ends. Arguments: the module playwright-core, the browser, a folder
// for the profile. Each line of input is a command in JSON; each gets a line of output.

import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';

// Milliseconds that anything may take, less than the test itself waits.
const PATIENCE = 100_000;
const [playwright, executablePath, profile] = process.argv.slice(2);
const { default: library } = await import(pathToFileURL(playwright));

const context = await library.chromium.launchPersistentContext(profile, {
  executablePath,
  headless: true,
  viewport: { width: 1200, height: 640 },
  // Four times as many pixels are for pictures that are kept.
  deviceScaleFactor: process.env.TTSR_UPDATE_SCREENSHOT ? 2 : 1,
  colorScheme: 'dark',
  args: [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
  ],
});
context.setDefaultTimeout(PATIENCE);
let page = context.pages()[0] ?? (await context.newPage());

const commands = {
  // In the process of the page before, which has compiled VS Code's scripts. Playwright closes that page unasked.
  async open({ address }) {
    await page.goto(address, { waitUntil: 'domcontentloaded' }).catch(async () => {
      page = await context.newPage(); // The page before has crashed.
      await page.goto(address, { waitUntil: 'domcontentloaded' });
    });
  },
  async screenshot({ path, clip, scale }) {
    await page.screenshot({ path, clip, scale: scale ?? 'device' });
  },
  async press({ keys }) {
    await page.keyboard.press(keys);
  },
  async click({ selector, button }) {
    await page.locator(selector).first().click({ button: button ?? 'left' });
  },
  // Chooses an item of a menu, which ignores the mouse until 100 ms after it opened, and goes once an item was chosen.
  async choose({ selector }) {
    const item = page.locator(selector).first();
    await item.waitFor();
    const deadline = Date.now() + PATIENCE;
    while ((await item.count()) > 0) {
      if (Date.now() > deadline) throw new Error(`the menu with ${selector} stays open`);
      await item.click({ timeout: 2_000 }).catch(() => {});
      await item.waitFor({ state: 'detached', timeout: 2_000 }).catch(() => {});
    }
  },
  // Unfolds a row of a tree, which the tree may also do by itself, and draws anew meanwhile.
  async unfold({ selector }) {
    const row = page.locator(selector).first();
    await row.waitFor();
    const deadline = Date.now() + PATIENCE;
    while ((await row.getAttribute('aria-expanded')) !== 'true') {
      if (Date.now() > deadline) throw new Error(`${selector} stays folded`);
      await row.locator('.monaco-tl-twistie').click({ timeout: 2_000 }).catch(() => {});
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
  },
  async hover({ selector }) {
    await page.locator(selector).first().hover();
  },
  async waitFor({ selector, state }) {
    await page.locator(selector).first().waitFor({ state: state ?? 'visible' });
  },
  // In a webview, which is a frame in a frame: does something with an element, as soon as there is one, and tells its text.
  async inFrame({ selector, action, value }) {
    const deadline = Date.now() + PATIENCE;
    for (;;) {
      for (const frame of page.frames()) {
        const found = frame.locator(selector).first();
        if ((await found.count().catch(() => 0)) === 0) continue;
        if (action !== undefined) await found[action](...(value === undefined ? [] : [value]), { timeout: PATIENCE });
        return await found.evaluate((node) => (typeof node.value === 'string' ? node.value : node.innerText));
      }
      if (Date.now() > deadline) throw new Error(`no frame has ${selector}`);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  },
  // Waits until no frame has an element: a webview that was closed goes some time later.
  async untilGone({ selector }) {
    const deadline = Date.now() + PATIENCE;
    const has = (frame) => frame.locator(selector).count().catch(() => 0);
    while ((await Promise.all(page.frames().map(has))).some((count) => count > 0)) {
      if (Date.now() > deadline) throw new Error(`a frame still has ${selector}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  },
  // The width of the page with an element, and that of its frame, in CSS pixels.
  async widths({ selector }) {
    for (const frame of page.frames()) {
      const found = frame.locator(selector).first();
      if ((await found.count().catch(() => 0)) === 0) continue;
      return await found.evaluate(({ ownerDocument: { documentElement: root } }) => [root.scrollWidth, root.clientWidth]);
    }
    throw new Error(`no frame has ${selector}`);
  },
  async text({ selector }) {
    return await page.locator(selector).allInnerTexts();
  },
  // The text and the colour of each of the elements.
  async colours({ selector }) {
    const told = (nodes) => nodes.map((node) => [node.textContent, getComputedStyle(node).color]);
    return await page.locator(selector).evaluateAll(told);
  },
  // The size of the window, in CSS pixels.
  async resize({ width, height }) {
    await page.setViewportSize({ width, height });
  },
  async style({ css }) {
    await page.addStyleTag({ content: css });
  },
};

try {
  for await (const line of createInterface({ input: process.stdin })) {
    const { command, ...given } = JSON.parse(line);
    try {
      const answer = await commands[command](given);
      console.log(JSON.stringify({ ok: true, answer: answer ?? null }));
    } catch (error) {
      // What was shown instead says why, also in a run that nobody can look at.
      const shown = await page.evaluate(() => document.body.innerText).catch(String);
      console.log(JSON.stringify({ ok: false, error: String(error), shown: shown.slice(0, 4_000) }));
    }
  }
} finally {
  await context.close();
}

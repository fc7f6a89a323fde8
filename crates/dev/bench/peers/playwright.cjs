// Playwright as a child: a line of JSON in, a line of JSON out. It measures itself, so that no pipe is part of a figure.
const { chromium } = require("playwright-core");
const readline = require("node:readline");

let browser;
let page;

const timed = async (what) => {
  const began = performance.now();
  const value = await what();
  return { ms: performance.now() - began, value };
};

const commands = {
  // To a browser that runs already, and to its first page.
  attach: ({ endpoint }) =>
    timed(async () => {
      browser = await chromium.connectOverCDP(endpoint);
      page = browser.contexts()[0].pages()[0];
    }),
  // The same once more, with a connection that is left again.
  again: async ({ endpoint }) => {
    let other;
    const { ms } = await timed(async () => {
      other = await chromium.connectOverCDP(endpoint);
      await other.contexts()[0].pages()[0].title();
    });
    await other.close();
    return { ms };
  },
  // A browser of its own until its first page has loaded.
  launch: async ({ executable, args, url }) => {
    let other;
    const { ms } = await timed(async () => {
      other = await chromium.launch({ executablePath: executable, args, headless: true });
      const first = await other.newPage();
      await first.goto(url);
    });
    await other.close();
    return { ms };
  },
  click: ({ selector }) => timed(() => page.click(selector)),
  // A click, and the wait until what it changes is there.
  settle: ({ selector, shows }) =>
    timed(async () => {
      await page.click(selector);
      await page.waitForSelector(shows);
    }).then(({ ms }) => ({ ms })),
  tree: () => timed(() => page.locator("body").ariaSnapshot()),
};

const lines = readline.createInterface({ input: process.stdin });
(async () => {
  for await (const line of lines) {
    let answer;
    try {
      const asked = JSON.parse(line);
      answer = await commands[asked.do](asked);
    } catch (error) {
      answer = { error: String(error && error.message ? error.message : error) };
    }
    process.stdout.write(`${JSON.stringify(answer)}\n`);
  }
  if (browser) await browser.close();
})();

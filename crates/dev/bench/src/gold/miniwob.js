// The right answers by MiniWoB++ itself: for each visible element the episode is restarted from its seed and the element is
// clicked; the reward of the task tells whether it was right.
(() => {
  const seen = () => {
    const apart = "#query, #query *, #reward-display, #reward-display *, #sync-task-cover, #click-canvas, script, style";
    return [...document.querySelectorAll("body *")].filter((element) => {
      if (element.matches(apart)) return false;
      const box = element.getBoundingClientRect();
      const style = getComputedStyle(element);
      return box.width > 0 && box.height > 0 && style.visibility === "visible" && Number(style.opacity) > 0;
    });
  };
  // One turn of the event loop, for what tasks defer with a timer of 0 ms.
  const turn = () =>
    new Promise((done) => {
      const channel = new MessageChannel();
      channel.port1.onmessage = () => done();
      channel.port2.postMessage(0);
    });
  const start = async (seed) => {
    Math.seedrandom(seed);
    core.startEpisodeReal();
    await turn();
  };
  const click = (element) => {
    const mouse = (type) =>
      element.dispatchEvent(new MouseEvent(type, { bubbles: true, cancelable: true, view: window }));
    mouse("mousedown");
    if (!(element instanceof SVGElement)) element.focus();
    mouse("mouseup");
    mouse("click");
  };
  const said = () => {
    const utterance = core.getUtterance();
    return typeof utterance === "string" ? utterance : String(utterance.utterance);
  };
  // Some tasks have their instruction in the HTML and never write it again.
  const instruction = document.getElementById("query").innerHTML;
  window.alert = () => {};
  window.clawperatorBench = {
    // The reward of a click on each element: 1 accepted, -1 rejected, 0 the episode continues.
    judge: async (seed) => {
      await start(seed);
      const count = seen().length;
      const verdicts = [];
      for (let at = 0; at < count; at += 1) {
        await start(seed);
        const element = seen()[at];
        const episode = WOB_EPISODE_ID;
        if (element) click(element);
        await turn();
        const over = WOB_EPISODE_ID !== episode;
        verdicts.push(over ? (WOB_RAW_REWARD_GLOBAL > 0 ? 1 : -1) : 0);
      }
      return verdicts;
    },
    // Starts the episode with a stopped clock, and reads the instruction.
    pose: async (seed) => {
      document.getElementById("query").innerHTML = instruction;
      await start(seed);
      clearTimeout(core.EP_TIMER);
      core.clearTimer();
      const query = said();
      document.getElementById("query").textContent = "";
      window.clawperatorBench.shown = seen();
      return query;
    },
  };
})();

// MiniWoB++ decides itself what is right: an episode is started again from its seed for every element that can be seen, the
// element is clicked, and the task's own reward says whether that was it.
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
  // One turn of the event loop: what tasks put off until after their own code has run then.
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
  // Some tasks have their instruction in the page and never write it again.
  const instruction = document.getElementById("query").innerHTML;
  window.alert = () => {};
  window.clawperatorBench = {
    // What a click on each element leads to: 1 accepted, -1 refused, 0 the episode goes on.
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
    // Starts the episode to be asked about, with its clock stopped and the instruction taken from the page.
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

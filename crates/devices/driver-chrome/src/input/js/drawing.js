// Functions that wait for frames of a window. A window that is not drawn has none, so each frame has a limit in milliseconds.
(() => {
  const nextFrame = (window, limit) => new Promise((done) => {
    window.requestAnimationFrame(() => done(true));
    window.scheduler.postTask(() => done(false), { delay: limit });
  });
  const twoFrames = async (window) => {
    await nextFrame(window, 250);
    await nextFrame(window, 250);
  };
  // Before the first paint of a document, browsers drop mouse events; and they hit-test frames of other processes at their last
  // painted position.
  const firstPaint = async (window) => {
    if (!window.performance.getEntriesByType("paint").length) await twoFrames(window);
  };
  return { nextFrame, twoFrames, firstPaint };
})()

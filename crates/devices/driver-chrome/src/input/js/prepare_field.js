// Prepares `this` for typing `text`, or sets the value of inputs that cannot be typed into exactly. `mode` is `set`, `append`,
// `focus`, `choose` (for an option) or `verify` (whether typed text may have gone elsewhere). Runs in an
// isolated world. `optionsOf` is the function in options.js, `drawing` those in drawing.js.
async function (mode, text) {
  const unwritable = (why) => ({ is: "unwritable", why });
  const refused = (why) => ({ is: "refused", why });
  const refusedForNow = (why) => ({ is: "refused", why, passes: true });
  if (!this.isConnected || !this.ownerDocument.defaultView) return { is: "gone" };
  await drawing.firstPaint(this.ownerDocument.defaultView);
  const normalize = (text) => String(text).replace(/\s+/g, " ").trim();
  const isActive = (node) => {
    const at = node.getRootNode().activeElement;
    return !!at && (at === node || node.contains(at) || (node.shadowRoot && node.matches(":focus-within")));
  };
  const ownText = () => ("value" in this ? this.value : this.textContent);
  // The field that text is typed into next, and its text before.
  const entry = Symbol.for("entry");
  if (mode === "verify") {
    const before = globalThis[entry];
    delete globalThis[entry];
    // A page may move the focus when a field has its text.
    const isLost = before && before.node.deref() === this && before.text === ownText() && !isActive(this);
    return isLost ? refused("the text may be in another field") : { is: "ready" };
  }
  const focus = async (node) => {
    const view = node.ownerDocument.defaultView;
    const hadFocus = isActive(node);
    node.scrollIntoView({ block: "nearest", inline: "nearest", behavior: "instant" });
    node.focus();
    if (!isActive(node)) return refused("it does not take the focus");
    if (!node.ownerDocument.hasFocus()) return refusedForNow("the focus is in another window");
    if (!hadFocus) {
      // The page may move the focus in the next frame or in a task, which a timer of a millisecond starts.
      await drawing.nextFrame(view, view.document.hidden ? 100 : 500);
      await new Promise((done) => { view.scheduler.postTask(done, { delay: 5 }); });
      if (!isActive(node)) return refusedForNow("the page moved the focus away from it");
    }
    globalThis[entry] = { node: new WeakRef(this), text: ownText() };
    return null;
  };
  if (mode === "focus") return (await focus(this)) || { is: "ready" };

  const choose = async (list, option) => {
    const group = option.parentElement;
    if (list.matches(":disabled")) return refused("the list is disabled");
    if (option.disabled || (group.localName === "optgroup" && group.disabled)) {
      return mode === "choose" ? refused("it is disabled") : unwritable(`the option ${JSON.stringify(normalize(option.label))} is disabled`);
    }
    const isShown = (each) => {
      const style = each.ownerDocument.defaultView.getComputedStyle(each);
      const outer = each.parentElement;
      return !each.disabled && !each.hidden && style.display !== "none"
        && !(outer.localName === "optgroup" && (outer.disabled || outer.hidden));
    };
    const options = [...list.options];
    if (!isShown(option)) return refused("the list does not show it");
    if (list.multiple || list.size > 1) return { is: "listed" };
    const error = await focus(list);
    if (error) return error;
    const label = optionsOf(list).labelOf(option);
    if (list.options[list.selectedIndex] === option) return { is: "done", label };
    const steps = options.slice(0, options.indexOf(option)).filter(isShown).length;
    let open = false;
    try { open = list.matches(":open"); } catch { open = false; }
    return { is: "choose", steps, open, label };
  };
  if (this.localName === "option") {
    const list = this.closest("select");
    return list ? choose(list, this) : refused("it belongs to no list");
  }
  if (this.localName === "select") {
    if (mode === "append") return unwritable("an option is chosen, not written behind another");
    const { all: options, labelOf, find } = optionsOf(this);
    const { option, why } = find(text);
    if (why) return unwritable(why);
    if (!option) {
      const names = options.slice(0, 12).map((each) => JSON.stringify(labelOf(each)));
      const more = options.length > 12 ? ` and ${options.length - 12} more` : "";
      return unwritable(`the list has no option ${JSON.stringify(normalize(text))}; it has ${names.join(", ")}${more}`);
    }
    return choose(this, option);
  }

  const kind = this.localName === "input" ? this.type : this.localName;
  if (["checkbox", "radio"].includes(kind)) return unwritable(`a ${kind} takes no text: click it`);
  if (["submit", "button", "image", "reset", "hidden"].includes(kind)) return unwritable("a button takes no text");
  if (kind === "file") return unwritable("a file input takes files of this computer, not text");
  if (this.matches(":disabled")) return unwritable("it is disabled");
  if (this.readOnly) return unwritable("it is read-only");

  // Inputs made of parts: their value has exactly one format.
  const FORMATS = {
    date: "YYYY-MM-DD", time: "HH:MM", month: "YYYY-MM", week: "YYYY-Www", "datetime-local": "YYYY-MM-DDTHH:MM",
    color: "#rrggbb", range: "a number",
  };
  // The bounds and steps that the element sets for its value.
  const bounds = () => {
    const isRange = kind === "range";
    const [low, high] = [this.min || (isRange ? "0" : ""), this.max || (isRange ? "100" : "")];
    const step = isRange ? this.step || "1" : kind === "number" ? this.step : "";
    return (low && ` from ${low}`) + (high && (low ? ` to ${high}` : ` up to ${high}`))
      + (step && step !== "any" ? ` in steps of ${step}` : "");
  };
  if (this.localName === "input" && FORMATS[kind]) {
    if (mode === "append") return unwritable(`a ${kind} input is written as a whole`);
    const old = this.value;
    const error = await focus(this);
    if (error) return error;
    this.value = text;
    const same = this.value === text || (kind === "range" && text.trim() !== "" && Number(this.value) === Number(text))
      || (kind === "color" && this.value === text.toLowerCase());
    if (!same) {
      const isNumber = text.trim() !== "" && Number.isFinite(Number(text));
      const nearest = kind === "range" && isNumber ? `; the nearest is ${this.value}` : "";
      this.value = old;
      return unwritable(`a ${kind} input takes ${FORMATS[kind]}${bounds()}, not ${JSON.stringify(text)}${nearest}`);
    }
    const value = this.value;
    this.value = old;
    return value === old ? { is: "done" } : { is: "assign", value };
  }

  if (this.localName === "input" || this.localName === "textarea") {
    if (kind === "number" && mode === "set" && text !== "" && !/^\s*[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?\s*$/i.test(text)) {
      return unwritable(`a number input takes a number${bounds()}, not ${JSON.stringify(text)}`);
    }
    const length = (mode === "append" ? this.value.length : 0) + text.replaceAll("\r\n", "\n").length;
    if (kind !== "number" && this.maxLength >= 0 && length > this.maxLength) {
      // A code of several characters has a field for each.
      const isOne = (field) => field.localName === "input" && field.maxLength === 1 && field.checkVisibility();
      const fields = [...(this.form || this.getRootNode()).querySelectorAll("input")].filter((field) => field.type !== "hidden");
      const following = fields.slice(fields.indexOf(this) + 1);
      const end = following.findIndex((field) => !isOne(field));
      const count = this.maxLength === 1 ? (end < 0 ? following.length : end) : 0;
      if (count) {
        const many = count > 1 ? "fields of one character follow" : "field of one character follows";
        return unwritable(`it takes one character, and ${count} ${many}: enter one in each`);
      }
      const unit = this.maxLength === 1 ? "character" : "characters";
      return unwritable(`it takes at most ${this.maxLength} ${unit}, not ${length}`);
    }
    if (this.localName === "input" && /[\r\n]/.test(text)) return unwritable("a field of one line takes no line break");
    const error = await focus(this);
    if (error) return error;
    if (mode === "append") return { is: "end" };
    const empty = this.value === "" && this.validity && !this.validity.badInput;
    this.select();
    return { is: empty ? "empty" : "ready" };
  }
  if (this.isContentEditable) {
    const error = await focus(this);
    if (error) return error;
    const selection = this.ownerDocument.getSelection();
    if (mode === "append") {
      selection.selectAllChildren(this);
      selection.collapseToEnd();
      return { is: "ready" };
    }
    selection.selectAllChildren(this);
    return { is: this.textContent === "" ? "empty" : "ready" };
  }
  if (this.getAttribute("role") === "slider") {
    return unwritable("a slider that the page builds takes no text: give it the focus, and press left, right, home or end");
  }
  return unwritable(`a ${this.localName} takes no text`);
}

// "Run it here": the virtual GPU as WebAssembly, in a worker, so that the page stays alive. A page that was opened from
// a disk may load scripts and nothing else: so the module is a script that holds it as base64, loaded at the first run.
"use strict";

(() => {
  const box = document.querySelector(".run-here");
  const form = box.querySelector("form");
  const button = form.querySelector("button");
  const pre = box.querySelector("pre");

  // What the worker runs. It stands here as a function so that it has the colours of code; the worker gets its text.
  function work() {
    let compiled;
    onmessage = async ({ data }) => {
      try {
        if (data.module) {
          const bytes = Uint8Array.from(atob(data.module), (letter) => letter.charCodeAt(0));
          compiled = await WebAssembly.compile(bytes);
        }
        postMessage(run(compiled, data.words));
      } catch (error) {
        postMessage({ code: -1, out: "", err: `the module stopped: ${error.message}` });
      }
    };

    // One run is one instance: the calls of WASI that the C library makes, and main().
    function run(module, words) {
      const texts = { 1: "", 2: "" };
      const encoded = ["run_here", ...words].map((word) => new TextEncoder().encode(word + "\0"));
      const decoder = new TextDecoder();
      let memory;
      const view = () => new DataView(memory.buffer);
      const put = (at, ...values) => values.forEach((value, i) => view().setUint32(at + 4 * i, value, true));
      class Exit extends Error { constructor(code) { super(); this.code = code; } }
      const calls = {
        args_sizes_get: (count, size) => {
          put(count, encoded.length);
          put(size, encoded.reduce((sum, word) => sum + word.length, 0));
          return 0;
        },
        args_get: (pointers, text) => {
          for (const word of encoded) {
            put(pointers, text);
            new Uint8Array(memory.buffer).set(word, text);
            pointers += 4;
            text += word.length;
          }
          return 0;
        },
        clock_time_get: (_clock, _precision, time) => {
          view().setBigUint64(time, BigInt(Math.round(performance.now() * 1e6)), true);
          return 0;
        },
        fd_write: (file, parts, count, written) => {
          let all = 0;
          for (let i = 0; i < count; ++i) {
            const [at, size] = [view().getUint32(parts + 8 * i, true), view().getUint32(parts + 8 * i + 4, true)];
            texts[file] += decoder.decode(new Uint8Array(memory.buffer, at, size));
            all += size;
          }
          put(written, all);
          return 0;
        },
        fd_fdstat_get: (_file, status) => {
          new Uint8Array(memory.buffer).fill(0, status, status + 24);
          view().setUint8(status, 2);  // a terminal
          return 0;
        },
        proc_exit: (code) => { throw new Exit(code); },
      };
      const no = () => 8;  // no such file, nor such a call
      const wasi = new Proxy(calls, { get: (known, name) => known[name] ?? no });
      const imports = {};
      for (const { module: from, name } of WebAssembly.Module.imports(module))
        (imports[from] ??= {})[name] = wasi[name];
      const instance = new WebAssembly.Instance(module, imports);
      memory = instance.exports.memory;
      let code = 0;
      try {
        instance.exports._start();
      } catch (error) {
        if (!(error instanceof Exit)) throw error;
        code = error.code;
      }
      return { code, out: texts[1], err: texts[2] };
    }
  }

  let worker, timer, loading, turn = 0;

  function load() {
    loading ??= new Promise((resolve, reject) => {
      const script = document.createElement("script");
      script.src = box.dataset.root + "site/run_here_module.js";
      script.onload = () => resolve(globalThis.RUN_HERE_MODULE);
      script.onerror = () => { loading = undefined; reject(new Error("the module could not be loaded: try again")); };
      document.head.append(script);
    });
    return loading;
  }

  // The report, in which the names of sections are links. Nodes, not HTML.
  function show(text, state) {
    const code = pre.firstElementChild;
    code.replaceChildren();
    text.split(/docs\/symptoms\.md#([a-z-]+)/).forEach((piece, i) => {
      if (i % 2 === 0) return code.append(...rows(piece));
      const link = document.createElement("a");
      link.href = `${box.dataset.root}docs/symptoms.html#${piece}`;
      link.append(`docs/symptoms.md#${piece}`);
      code.append(link);
    });
    pre.hidden = false;
    box.dataset.state = state;
  }

  // Sentences wrap; a table's lines, which begin with two spaces, keep their columns.
  function rows(text) {
    return text.split(/^(  .*\n)/m).map((line) => {
      if (!line.startsWith("  ")) return line;
      return Object.assign(document.createElement("span"), { className: "row", textContent: line });
    });
  }

  function stop(sentence) {
    ++turn;  // what still loads for an earlier run is not started
    clearTimeout(timer);
    worker?.terminate();
    worker = undefined;
    button.textContent = "Run";
    show(sentence, "stopped");
  }

  async function start() {
    button.textContent = "Stop";
    show("running ...", "running");
    const value = (name) => form.elements[name].value.trim();
    const words = ["m", "n", "k", "target", "bug"].flatMap((name) => [`--${name}`, value(name)]);
    const mine = ++turn;
    let module;
    try {
      module = await load();
    } catch (error) {
      return stop(error.message);
    }
    if (turn !== mine) return;
    const seconds = Number(box.dataset.seconds);  // the largest problem takes one or two on a laptop
    const late = `The run was stopped after ${seconds} seconds: choose smaller extents.`;
    timer = setTimeout(() => stop(late), 1000 * seconds);
    const fresh = !worker;
    if (fresh) {
      worker = new Worker(URL.createObjectURL(new Blob([`(${work})()`], { type: "text/javascript" })));
      worker.onerror = (event) => {
        event.preventDefault();
        stop("The worker stopped: this browser may lack WebAssembly.");
      };
      worker.onmessage = ({ data: { code, out, err } }) => {
        clearTimeout(timer);
        button.textContent = "Run";
        box.dataset.code = code;
        show(out + err, "done");
      };
    }
    worker.postMessage(fresh ? { module, words } : { words });
  }

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (box.dataset.state === "running") stop("The run was stopped.");
    else start();
  });
  form.hidden = false;
})();

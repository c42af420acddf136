// What the pages do by themselves. Without it they work too: they show the station's times, and no news.
(() => {
  "use strict";
  const language = document.documentElement.lang;
  const forms = {
    full: new Intl.DateTimeFormat(language, { year: "numeric", month: "short", day: "numeric", hour: "2-digit", minute: "2-digit", hourCycle: "h23" }),
    clock: new Intl.DateTimeFormat(language, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" }),
    day: new Intl.DateTimeFormat(language, { year: "numeric", month: "short", day: "numeric" }),
    zoned: new Intl.DateTimeFormat(language, { dateStyle: "short", timeStyle: "long" }),
  };
  document.documentElement.classList.add("has-script");

  // How long ago, in its two largest units, as the program writes it.
  const [day, hour, minute] = document.documentElement.dataset.units.split(" ");
  const age = (moment) => {
    const minutes = Math.max(0, Math.floor((Date.now() - moment) / 60000));
    const [days, hours, rest] = [Math.floor(minutes / 1440), Math.floor(minutes / 60) % 24, minutes % 60];
    if (days > 0) return hours > 0 ? `${days}${day} ${hours}${hour}` : `${days}${day}`;
    if (hours > 0) return rest > 0 ? `${hours}${hour} ${rest}${minute}` : `${hours}${hour}`;
    return `${rest}${minute}`;
  };

  // Times in the zone of whoever looks.
  const show = (part) => {
    for (const time of part.querySelectorAll("time[data-form]")) {
      const moment = new Date(time.dateTime);
      if (Number.isNaN(moment.valueOf())) continue;
      const form = time.dataset.form;
      // A report is the same for all who read it.
      if (form !== "age" && document.body.classList.contains("report")) continue;
      if (form === "clock" && Date.now() - moment > 72000000) {
        time.textContent = forms.day.format(moment);
      } else {
        time.textContent = form === "age" ? age(moment) : forms[form].format(moment);
      }
      time.title = forms.zoned.format(moment);
    }
  };
  show(document);
  setInterval(() => show(document), 30000);

  // On a wall, scans for which there is no room stand beside the list where nobody sees them: no key leads there.
  const fit = () => {
    for (const scan of document.querySelectorAll(".now .scans li")) {
      scan.inert = scan.offsetLeft > scan.parentElement.firstElementChild.offsetLeft;
    }
  };
  fit();
  addEventListener("resize", fit);

  // A picture that is no longer in its folder leaves an empty frame.
  document.addEventListener("error", (event) => {
    if (!(event.target instanceof HTMLImageElement)) return;
    const frame = document.createElement("span");
    frame.className = `${event.target.className} gone`;
    frame.textContent = event.target.alt;
    event.target.replaceWith(frame);
  }, true);

  for (const button of document.querySelectorAll("[data-print]")) {
    button.addEventListener("click", () => print());
  }

  // How far an upload has come; a line that is cut says so, and nothing is lost by sending again.
  for (const form of document.querySelectorAll("form.hand-in")) {
    form.addEventListener("submit", (event) => {
      const progress = form.querySelector("progress");
      const button = form.querySelector("button");
      const cut = form.querySelector(".cut");
      const request = new XMLHttpRequest();
      event.preventDefault();
      cut.hidden = true;
      button.disabled = true;
      progress.hidden = false;
      request.open("POST", form.action);
      request.upload.addEventListener("progress", (sent) => {
        if (sent.lengthComputable) progress.value = (100 * sent.loaded) / sent.total;
      });
      request.addEventListener("load", () => {
        if (request.status === 200) location.assign(request.responseURL);
        else document.documentElement.innerHTML = request.responseText;
      });
      request.addEventListener("error", () => {
        button.disabled = false;
        progress.hidden = true;
        // A text that comes later is what screen readers say.
        cut.hidden = false;
        cut.textContent = cut.dataset.text;
      });
      request.send(new FormData(form));
    });
  }

  // News: each section as it is now. The browser connects again by itself, and says what it has seen last.
  const page = document.body.dataset.news;
  if (page === undefined) return;
  const line = document.querySelector(".line");
  const tell = (isLive) => {
    line.textContent = isLive ? line.dataset.live : line.dataset.cut;
    line.classList.toggle("cut", !isLive);
  };
  // What somebody has typed and not sent must not get lost.
  const isTyped = () => [...document.querySelectorAll("main input:not([type=hidden])")].some((field) =>
    field.checked !== field.defaultChecked || (field.type !== "file" && field.value !== field.defaultValue));
  // A browser gives up on a server that refuses. The page is asked for again once the board itself answers: a server
  // in front of it says for a while that it is not there.
  const askAgain = async (pause) => {
    await new Promise((done) => { setTimeout(done, pause); });
    const answer = await fetch(location.href, { method: "HEAD", cache: "no-store" }).catch(() => undefined);
    if (answer === undefined || answer.status >= 500) return askAgain(Math.min(2 * pause, 60000));
    if (isTyped()) return answer.ok ? listen() : undefined;
    return location.reload();
  };
  let news;
  const listen = () => {
    // Browsers keep six connections to one place: a page that nobody sees needs none.
    if (news !== undefined || document.hidden) return;
    const after = document.body.dataset.heard ?? document.body.dataset.after;
    const source = new EventSource(`/news?of=${encodeURIComponent(page)}&after=${after}`);
    news = source;
    source.addEventListener("open", () => tell(true));
    source.addEventListener("error", () => {
      tell(false);
      if (source.readyState !== EventSource.CLOSED || news !== source) return;
      news = undefined;
      askAgain(5000);
    });
    source.addEventListener("section", take);
  };
  const take = (event) => {
    const end = event.data.indexOf("\n");
    const name = end < 0 ? event.data : event.data.slice(0, end);
    const section = document.getElementById(name);
    if (section === null) return;
    const focused = section.contains(document.activeElement) ? document.activeElement.getAttribute("href") : null;
    section.innerHTML = end < 0 ? "" : event.data.slice(end + 1);
    show(section);
    // The news has no head in which the browser is sent on.
    const rest = section.querySelector(".rest > a");
    if (rest !== null && !isTyped()) return location.replace(rest.href);
    fit();
    if (focused !== null) section.querySelector(`a[href="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true });
    if (event.lastEventId !== "") document.body.dataset.heard = event.lastEventId;
  };
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden) return listen();
    news?.close();
    news = undefined;
  });
  listen();
})();

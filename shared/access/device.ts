type Words = readonly (readonly [name: string, sign: RegExp])[];

/** The first that fits: most browsers also claim to be Chrome and Safari. Those of iOS have other signs there. */
const browsers: Words = [
  ['Edge', /\bEdg(?:e|A|iOS)?\//],
  ['Opera', /\bOPR\/|\bOPX\/|\bOPT\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Vivaldi', /\bVivaldi\//],
  ['Firefox', /\bFirefox\/|\bFxiOS\//],
  ['Chrome', /\bChrom(?:e|ium)\/|\bHeadlessChrome\/|\bCriOS\//],
  ['Safari', /\bVersion\/[\d.]+.* Safari\//],
];

/** The first that fits: Android also says Linux, and an iPhone “like Mac OS X”. An iPad says it's a Mac. */
const systems: Words = [
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Android', /\bAndroid\b/],
  ['Windows', /\bWindows\b/],
  ['Chrome OS', /\bCrOS\b/],
  ['macOS', /\bMac(?:intosh| OS X)\b/],
  ['Linux', /\bLinux\b|\bX11\b/],
];

/**
 * Names a browser by its `User-Agent`, such as `Firefox on Linux`: enough for people to recognize their own. The words are
 * all from here, so nobody can put their own text into somebody's list of sessions.
 *
 * @returns `undefined` if it's none of them
 */
export function deviceOf(userAgent: string | undefined): string | undefined {
  const read = userAgent?.slice(0, maxRead) ?? '';
  const find = (all: Words) => all.find(([, sign]) => sign.test(read))?.[0];
  const [browser, system] = [find(browsers), find(systems)];
  if (browser === undefined) return system;
  return system === undefined ? browser : `${browser} on ${system}`;
}

/** Real ones have some 200 characters. */
const maxRead = 500;

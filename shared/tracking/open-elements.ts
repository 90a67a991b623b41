import type { StartTag } from './html-tag.ts';

/** Their start and end tags end foreign content: HTML §13.2.6.5. */
const breakouts = new Set(
  `b big blockquote body br center code dd div dl dt em embed font h1 h2 h3 h4 h5 h6 head hr i img li
  listing menu meta nobr ol p pre ruby s small span strike strong sub sup table tt u ul var`.split(
    /\s+/,
  ),
);

/** Foreign elements with HTML content: HTML §13.2.6.1, integration points. */
const holdsHtml = {
  svg: new Set(['foreignobject', 'desc', 'title']),
  math: new Set(['mi', 'mo', 'mn', 'ms', 'mtext']),
};

/** Deeper nesting isn't followed, which limits the cost of an end tag. */
const maxDepth = 100;

type OpenElement = {
  readonly name: string;
  readonly foreign: keyof typeof holdsHtml | undefined;
  /** Where the outermost `<template>` around it starts. */
  readonly templateStart: number | undefined;
};

/**
 * The open elements that decide how markup is read: `<svg>` and `<math>`, where `<title>` and `<style>` aren't raw text
 * and a slash closes a tag, and `<template>`, whose content is inert. In foreign content with unbalanced tags, it's a
 * fair guess.
 */
export class OpenElements {
  readonly #stack: OpenElement[] = [];

  isForeign(): boolean {
    return this.#stack.at(-1)?.foreign !== undefined;
  }

  templateStart(): number | undefined {
    return this.#stack.at(-1)?.templateStart;
  }

  open({ name, start, isSelfClosing }: StartTag): void {
    const foreign = this.#foreignParentOf(name);
    if (foreign === undefined) this.#openHtml(name, start, isSelfClosing);
    else if (!isSelfClosing && holdsHtml[foreign].has(name)) this.#push(name, undefined);
    else if (!isSelfClosing && name === foreign) this.#push(name, foreign);
  }

  close(name: string): void {
    if (this.#stack.length === 0) return;
    const isBreakout = this.isForeign() && breakouts.has(name);
    if (isBreakout) this.#leaveForeign();
    else this.#stack.length = this.#depthWithout(name);
  }

  #foreignParentOf(name: string): OpenElement['foreign'] {
    if (this.isForeign() && breakouts.has(name)) this.#leaveForeign();
    return this.#stack.at(-1)?.foreign;
  }

  #openHtml(name: string, start: number, isSelfClosing: boolean): void {
    const opensForeign = (name === 'svg' || name === 'math') && !isSelfClosing;
    if (opensForeign) this.#push(name, name);
    else if (name === 'template') this.#push(name, undefined, this.templateStart() ?? start);
  }

  #push(name: string, foreign: OpenElement['foreign'], templateStart = this.templateStart()): void {
    if (this.#stack.length < maxDepth) this.#stack.push({ name, foreign, templateStart });
  }

  #leaveForeign(): void {
    while (this.isForeign()) this.#stack.pop();
  }

  /** The depth once the innermost `name` is closed; a template closes only itself. */
  #depthWithout(name: string): number {
    for (let depth = this.#stack.length - 1; depth >= 0; depth -= 1) {
      const open = this.#stack[depth]?.name;
      if (open === name) return depth;
      if (open === 'template') break;
    }
    return this.#stack.length;
  }
}

import { load } from 'cheerio';
import { describe, expect, it } from 'vitest';
import { OpenElements } from '#shared/tracking/open-elements';
import { TagReader } from '#shared/tracking/tag-reader';

function openAfter(html: string): OpenElements {
  const openElements = new OpenElements();
  const reader = new TagReader(html, {
    isForeign: () => openElements.isForeign(),
    hasAttributes: () => false,
    onStartTag: (tag) => openElements.open(tag),
    onEndTag: (name) => openElements.close(name),
  });
  reader.read();
  return openElements;
}

/** In SVG and MathML alone, the slash closes the title, which swallows no element then. */
const isForeignInBrowser = (html: string): boolean =>
  load(`${html}<style/><u id=probe>`)('#probe').length === 1;

describe('what follows', () => {
  it.each([
    '<svg>',
    '<SVG viewBox="0 0 1 1">',
    '<svg / >',
    '<svg><g><path/>',
    '<svg><g></g>',
    '<svg><svg/>',
    '<svg><svg></svg>',
    '<svg><title></title>',
    '<svg><title/>',
    '<svg><desc>x</desc>',
    '<svg><desc><svg>',
    '<svg><foreignObject><p>x</p></foreignObject>',
    '<svg><foreignObject><title></title></foreignObject>',
    '<svg><foreignObject/>',
    '<svg><math></math>',
    '<svg></math>',
    '<svg></g>',
    '<svg><template>',
    '<math>',
    '<math><mrow>',
    '<math><mi>x</mi>',
    '<math><math></math>',
    '<template><svg>',
    '<svg><desc><template></template></desc>',
  ])('%s is foreign', (html) => {
    const openElements = openAfter(html);

    expect(openElements.isForeign()).toBe(true);
    expect(isForeignInBrowser(html)).toBe(true);
  });

  it.each([
    '',
    '<g>',
    '<svg/>',
    '<math/>',
    '<svg></svg>',
    '<svg><svg></svg></svg>',
    '<svg><svg/></svg>',
    '<math><math/></math>',
    '<svg><g></svg>',
    '<svg><title></svg>',
    '<svg><title>',
    '<svg><title><title></title>',
    '<svg><desc>',
    '<svg><foreignObject>',
    '<svg><foreignobject><svg></svg>',
    '<svg><p>',
    '<svg><g><br/>',
    '<svg></p>',
    '<div><svg></div>',
    '<math></math>',
    '<math><mi>',
    '<math><mo><mi>',
    '<math><mn>',
    '<math><ms>',
    '<math><mtext>',
    '<math><desc></math>',
    '<template><svg></template>',
    '<svg><desc><template></svg>',
    '<foreignObject><svg></svg>',
  ])('%s is not foreign', (html) => {
    const openElements = openAfter(html);

    expect(openElements.isForeign()).toBe(false);
    expect(isForeignInBrowser(html)).toBe(false);
  });

  it('a nesting deeper than is followed is not foreign', () => {
    const openElements = openAfter('<svg><desc>'.repeat(200));

    expect(openElements.isForeign()).toBe(false);
  });

  it.each([
    [99, true],
    [100, false],
  ])('200 open SVGs, of which %i are closed, is foreign: %s', (closed, isForeign) => {
    const openElements = openAfter(`${'<svg>'.repeat(200)}${'</svg>'.repeat(closed)}`);

    expect(openElements.isForeign()).toBe(isForeign);
  });
});

describe('the template around what follows', () => {
  it.each([
    ['x<template>', 1],
    ['x<template/>', 1],
    ['x<template><template>', 1],
    ['x<template><template></template>', 1],
    ['x<template><svg><title>', 1],
    ['x<template></svg>', 1],
    ['<svg><desc><template></svg>', 11],
    ['<template></template>x<template>', 22],
  ])('%s begins with the outermost that is open', (html, start) => {
    expect(openAfter(html).templateStart()).toBe(start);
  });

  it.each([
    '',
    '<template></template>',
    '</template>',
    '<svg><template>',
    '<template><svg></template>',
  ])('%s is none', (html) => {
    expect(openAfter(html).templateStart()).toBeUndefined();
  });
});

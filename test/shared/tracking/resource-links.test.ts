import { describe, expect, it } from 'vitest';
import { withoutResourceLinks } from '#shared/tracking/resource-links';

describe('withoutResourceLinks', () => {
  it.each([
    ['<link rel="preconnect" href="https://evil.example">'],
    ['<LINK REL=dns-prefetch HREF=//evil.example>'],
    ['<p><link\nrel=preconnect\thref="//evil.example"/>'],
    ['<link/rel=preconnect/href=//evil.example>'],
    ['<noscript><link rel=preconnect href=//evil.example></noscript>'],
    ['<template shadowrootmode=open><link rel=preconnect href=//evil.example></template>'],
    ['<svg><foreignObject><link rel=preconnect href=//evil.example></foreignObject></svg>'],
    ['<!--[if mso]><!--><link rel=preconnect href=//evil.example><!--<![endif]-->'],
    ['<![CDATA[><link rel=preconnect href=//evil.example>'],
    ['<link rel=preconnect href=//evil.example <base target="_blank">'],
  ])('leaves no link in %s', (page) => {
    expect(withoutResourceLinks(page)).toBe(page.replace(/link/i, 'basefont'));
  });

  it('empties the document of a frame, which has links of its own', () => {
    const page = '<iframe title="x" srcdoc="<link rel=preconnect href=//evil.example>"></iframe>';

    expect(withoutResourceLinks(page)).toBe('<iframe title="x" srcdoc=""></iframe>');
  });

  it.each([
    ['<a href="https://example.com/link">link</a>'],
    ['<style>/* <link> */</style><!-- <link> --><links><p title="<link>">'],
    ['<textarea><link></textarea>'],
  ])('keeps everything else as it is: %s', (page) => {
    expect(withoutResourceLinks(page)).toBe(page);
  });
});

import { describe, expect, it } from 'vitest';
import { rewriteHtml } from '#shared/tracking/rewrite-html';
import { recordRewrite } from './recorded-rewrite.ts';

const destinationsIn = (html: string) => recordRewrite(html).destinations;

/** Puts `T` in place of each link and nothing at the end of the body. */
const rewrite = (html: string, tracked = 'T') =>
  rewriteHtml(html, { trackedUrl: () => tracked, beforeBodyEnd: '' });

const addAtEnd = (html: string) => rewriteHtml(html, { trackedUrl: () => 'T', beforeBodyEnd: '¶' });

describe('a link', () => {
  it.each([
    ['in double quotes', '<a href="http://h/">', '<a href="T">'],
    ['in single quotes', "<a href='http://h/'>", "<a href='T'>"],
    ['without quotes', '<a href=http://h/>', '<a href=T>'],
    ['without quotes before another attribute', '<a href=http://h/ id=x>', '<a href=T id=x>'],
    ['in upper case', '<A HREF="HTTP://H/">', '<A HREF="T">'],
    ['with spaces around its equals sign', '<a\thref \n=\r "http://h/">', '<a\thref \n=\r "T">'],
    ['behind a slash', '<a/href="http://h/"/>', '<a/href="T"/>'],
    ['that is an area of a map', '<area href="https://h/">', '<area href="T">'],
    ['in SVG', '<svg><a href="http://h/"></a></svg>', '<svg><a href="T"></a></svg>'],
    ['whose tag ends with the quote', '<a href="http://h/"class=x>', '<a href="T"class=x>'],
  ])('%s is replaced, and nothing else', (_, html, expected) => {
    expect(rewrite(html)).toBe(expected);
  });

  it.each([
    ['double quotes', '<a href="http://h/">', `<a href="x?a=1&amp;b='&quot;<=>\`">`],
    ['single quotes', "<a href='http://h/'>", `<a href='x?a=1&amp;b=&#39;"<=>\`'>`],
    [
      'no quotes',
      '<a href=http://h/>',
      '<a href=x?a&#61;1&#38;b&#61;&#39;&#34;&#60;&#61;&#62;&#96;>',
    ],
  ])('is escaped for %s', (_, html, expected) => {
    expect(rewrite(html, `x?a=1&b='"<=>\``)).toBe(expected);
  });

  it('with two hrefs counts by the first', () => {
    const html = '<a href="http://first/" HREF="http://second/"><a href="" href="http://third/">';

    expect(destinationsIn(html)).toEqual(['http://first/']);
  });

  it('is asked for as the URL a browser would follow', () => {
    const destinations = destinationsIn(
      [
        '<a href="http://h/?a=1&amp;b=2&#x2F;&lt">',
        '<a href="http://h/?x&copy=1&copy;=2&copy2&notit;">',
        '<a href=" \n http://h/a\tb\r\nc \0">',
        '<a href="hTTp:\\\\H\\p">',
        '<a href="http:h/q">',
        '<a href="https://bücher.example/ü?ü#ü">',
        '<a href="http://h/\ud800">',
        '<a href="http://h:80/../x/./y">',
      ].join(''),
    );

    expect(destinations).toEqual([
      'http://h/?a=1&b=2/%3C',
      'http://h/?x&copy=1%C2%A9=2&copy2&notit;',
      'http://h/abc%20%EF%BF%BD',
      'http://h/p',
      'http://h/q',
      'https://xn--bcher-kva.example/%C3%BC?%C3%BC#%C3%BC',
      'http://h/%EF%BF%BD',
      'http://h/x/y',
    ]);
  });

  it.each([
    'mailto:a@example.com',
    'tel:+123',
    'sms:+123',
    'javascript:location="http://h/"',
    'data:text/html,<a>',
    'ftp://h/',
    'cid:part1@h',
    '#top',
    ' #top',
    '',
    '/path',
    'path',
    '?query',
    '//host/path',
    'www.example.com',
    'http://',
    'http://[::1',
    'https://exa mple.com/',
  ])('to %j stays as it is', (href) => {
    const html = `<a href="${href}">x</a>`;

    expect(rewrite(html)).toBe(html);
  });

  it('marked data-track="false" stays as it is', () => {
    const html = [
      '<a href="http://h/" data-track="false">',
      "<a DATA-TRACK='FALSE' href='http://h/'>",
      '<area data-track=f&#97;lse href=http://h/>',
      '<a href="http://h/" data-track="false" data-track="true">',
    ].join('');

    expect(rewrite(html)).toBe(html);
  });

  it('marked otherwise is replaced', () => {
    const html = [
      '<a href="http://h/" data-track="true">',
      '<a href="http://h/" data-track>',
      '<a href="http://h/" xdata-track="false">',
      '<a href="http://h/" data-trac\u212a="false">',
    ].join('');

    expect(destinationsIn(html)).toHaveLength(4);
  });

  it('without a tracked URL stays as it is, recognised by its decoded and resolved URL', () => {
    const html =
      '<base href="https://mail.example/api/"><a href="HTTPS://MAIL.example/x/../api&#47;unsubscribe?t=1&amp;u">' +
      '<a href="unsubscribe?t=2"><a href="https://other.example/">';
    const seen: string[] = [];

    const output = rewriteHtml(html, {
      trackedUrl: (url) => (seen.push(url) < 3 ? undefined : 'T'),
      beforeBodyEnd: '',
    });

    expect(seen).toEqual([
      'https://mail.example/api/unsubscribe?t=1&u',
      'https://mail.example/api/unsubscribe?t=2',
      'https://other.example/',
    ]);
    expect(output).toBe(html.replace('https://other.example/', 'T'));
  });
});

describe('a base element', () => {
  it.each([
    ['a path', 'p?q', 'https://base/dir/p?q'],
    ['an absolute path', '/p', 'https://base/p'],
    ['another host', '//host/p', 'https://host/p'],
    ['nothing', '', 'https://base/dir/file'],
    ['its own scheme without slashes', 'https:p', 'https://base/dir/p'],
    ['another scheme without slashes', 'http:p', 'http://p/'],
  ])('makes %s a link that is tracked', (_, href, destination) => {
    const html = `<base href="https://base/dir/file"><a href="${href}">`;

    expect(destinationsIn(html)).toEqual([destination]);
  });

  it('gives a link without any value one', () => {
    expect(rewrite('<base href="http://b/"><a href><a href id=x><a href= >')).toBe(
      '<base href="http://b/"><a href="T"><a href="T" id=x><a href= T>',
    );
  });

  it('leaves fragments alone, which stay within the mail', () => {
    expect(destinationsIn('<base href="https://base/"><a href="#top"><a href=" \t#top">')).toEqual(
      [],
    );
  });

  it('counts wherever it stands, for links before it too', () => {
    expect(destinationsIn('<a href="p">x</a><div><base href="https://base/"></div>')).toEqual([
      'https://base/p',
    ]);
  });

  it('counts only when it is the first that has an href', () => {
    const html =
      '<base target=_blank><base href="https://first/"><base href="https://second/"><a href=p>';

    expect(destinationsIn(html)).toEqual(['https://first/p']);
  });

  it.each([
    ['is relative', '/dir/'],
    ['is no URL', 'http://['],
    ['is a data URL', 'data:text/html,x'],
    ['is not of the web', 'ftp://base/'],
  ])('that %s keeps relative links untracked, and those after it from counting', (_, href) => {
    const html = `<base href="${href}"><base href="https://second/"><a href="p">`;

    expect(destinationsIn(html)).toEqual([]);
  });

  it.each([
    ['a comment', '<!-- <base href="https://inert/"> -->'],
    ['a template', '<template><base href="https://inert/"></template>'],
    ['SVG', '<svg><base href="https://inert/"/></svg>'],
  ])('in %s is none', (_, inert) => {
    const html = `${inert}<base href="https://base/"><a href="p">`;

    expect(destinationsIn(html)).toEqual(['https://base/p']);
  });
});

describe('markup that a browser does not show as elements', () => {
  it.each([
    ['a comment', '<!-- <a href="http://h/"> -->'],
    ['a comment of dashes', '<!--- > <a href="http://h/"> --- --!>'],
    [
      'a conditional comment',
      '<!--[if mso]><v:rect href="http://h/"><a href="http://h/"><![endif]-->',
    ],
    ['a declaration', '<!doctype <a href="http://h/">'],
    ['a processing instruction', '<?xml <a href="http://h/">'],
    ['an attribute', `<p title='<a href="http://h/">'>`],
    ["an end tag's attribute", `</p title='> <a href="http://h/">'>`],
    ['CDATA in SVG', '<svg><![CDATA[ > <a href="http://h/"> ]]></svg>'],
    ['a template', '<template><template></template><a href="http://h/"></template>'],
    [
      'a script that writes a script',
      '<script><!-- <script></script><a href="http://h/">--></script>',
    ],
    ...'iframe noembed noframes script style textarea title xmp'
      .split(' ')
      .map((name) => [name, `<${name}></${name}x><a href="http://h/"></${name.toUpperCase()} >`]),
    ['plaintext', '<plaintext></plaintext><a href="http://h/">'],
  ])('keeps the links in %s', (_, html = '') => {
    expect(rewrite(html)).toBe(html);
  });
});

describe('markup that a browser does show as elements', () => {
  it.each([
    ['a downlevel-revealed conditional', '<![if !mso]><a href="http://h/"><![endif]>'],
    [
      'a conditional comment for all others',
      '<!--[if !mso]><!--><a href="http://h/"><!--<![endif]-->',
    ],
    ['what follows an empty comment', '<!--><a href="http://h/"><!---><a href="http://h/">-->'],
    ['what follows a comment ended in --!>', '<!-- --!><a href="http://h/">-->'],
    ['what follows CDATA in HTML', '<![CDATA[ > <a href="http://h/"> ]]>'],
    ['a noscript element', '<noscript><a href="http://h/"></noscript>'],
    ['what follows a raw text element', '<title></title></title><a href="http://h/">'],
    ['what follows an end tag with attributes', `</p title='>'><a href="http://h/">`],
    ['what follows a self-closed SVG title', '<svg><title/><style/></svg><a href="http://h/">'],
    ['what follows an SVG left open', '<p><svg><g><p><title></title><a href="http://h/">'],
    ['HTML in SVG', '<svg><foreignObject><a href="http://h/"></foreignObject><title/></svg>'],
    ['what follows MathML', '<math><mi>x</mi><style/></math><a href="http://h/">'],
    ['what follows a stray <', '1 < 2 <3 <<a href="http://h/">'],
    ['what follows a NUL in a tag name', '<script\0><a href="http://h/">'],
  ])('has the links in %s replaced', (_, html) => {
    expect(rewrite(html)).toBe(html.replaceAll('http://h/', 'T'));
  });

  it('leaves out what is no href of a link', () => {
    const html =
      '<link href="http://h/"><img src="http://h/"><form action="http://h/"><a xhref="http://h/">' +
      '<abbr href="http://h/"><a\0 href="http://h/"><a =href="http://h/"><svg><a xlink:href="http://h/">';

    expect(rewrite(html)).toBe(html);
  });

  it('drops a tag that never ends, and so do we', () => {
    const html = '<a href="http://h/1">x</a><a href="http://h/2" ';

    expect(destinationsIn(html)).toEqual(['http://h/1']);
  });
});

describe('the end of the body', () => {
  it.each([
    ['before </body>', '<body>x</body></html>', '<body>x¶</body></html>'],
    ['before the last of several', '</body>x</BODY\n>y', '</body>x¶</BODY\n>y'],
    ['before one with attributes', 'x</body class=">">', 'x¶</body class=">">'],
    ['at the end without one', '<p>x', '<p>x¶'],
    ['alone in an empty document', '', '¶'],
    ['not in a comment', 'x</body><!-- </body> -->', 'x¶</body><!-- </body> -->'],
    ['not in raw text', 'x</body><style></body></style>', 'x¶</body><style></body></style>'],
    ['not in a template', 'x<template></body></template>', 'x<template></body></template>¶'],
    ['not in a tag that never ends', 'x<p title="</body>', 'x¶<p title="</body>'],
    ['not in an end tag that never ends', 'x</body ', 'x¶</body '],
    ['not in an end tag whose quote never ends', 'x</p y=">', 'x¶</p y=">'],
    ['not in a self-closing tag that never ends', 'x<br /', 'x¶<br /'],
    ['not in a comment that never ends', 'x<!-- y', 'x¶<!-- y'],
    ['not in raw text that never ends', 'x<style>y', 'x¶<style>y'],
    ['not in raw text whose end tag never ends', 'x<title>y</title', 'x¶<title>y</title'],
    [
      'not in a script that never ends',
      'x<script><!--<script></script>',
      'x¶<script><!--<script></script>',
    ],
    [
      'not in a template that never ends',
      'x<template><template></template>',
      'x¶<template><template></template>',
    ],
    ['not behind plaintext', 'x<plaintext>y', 'x¶<plaintext>y'],
    ['not behind what would make it a tag', 'x</', 'x¶</'],
  ])('is %s', (_, html, expected) => {
    expect(addAtEnd(html)).toBe(expected);
  });

  it('takes what is added as it is, links included', () => {
    const footer = '<p><a href="https://mail.example/">Unsubscribe</a></p>';

    const output = rewriteHtml('<a href="http://h/">x</a>', {
      trackedUrl: () => 'T',
      beforeBodyEnd: footer,
    });

    expect(output).toBe(`<a href="T">x</a>${footer}`);
  });

  it('may have links behind it', () => {
    const html = '<a href="http://1/">x</body><a href="http://2/">y';

    expect(addAtEnd(html)).toBe('<a href="T">x¶</body><a href="T">y');
  });
});

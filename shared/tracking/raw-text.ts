/** Elements whose content is text: HTML §13.2.6.4, "generic raw text", "RCDATA" and plaintext. */
export const rawTextElements: ReadonlySet<string> = new Set(
  'iframe noembed noframes plaintext script style textarea title xmp'.split(' '),
);

export function findScriptEnd(html: string, from: number): number {
  const mark = /<!--|-->|<\/?script(?=[\t\n\f\r />])/gi;
  let isEscaped = false;
  let isDoubleEscaped = false;
  mark.lastIndex = from;
  for (let match = mark.exec(html); match !== null; match = mark.exec(html)) {
    if (match[0] === '-->') {
      isEscaped = false;
      isDoubleEscaped = false;
    } else if (match[0] === '<!--') {
      isEscaped = true;
      // The two dashes may also end the comment that they start: `<!-->`.
      mark.lastIndex -= 2;
    } else if (match[0].startsWith('</')) {
      if (!isDoubleEscaped) return match.index;
      isDoubleEscaped = false;
    } else {
      isDoubleEscaped = isEscaped;
    }
  }
  return html.length;
}

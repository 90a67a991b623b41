import { describe, expect, it } from 'vitest';
import { BoundedWriter, OutOfBounds } from '#shared/templates/rendering/bounded-writer';
import { VariableContext } from '#shared/templates/rendering/render-parts';

describe('BoundedWriter', () => {
  it("doesn't escape a text that is too large already", () => {
    let escaped = 0;
    const escapeValue = (text: string) => {
      escaped += 1;
      return text;
    };
    const context = new VariableContext({ small: 'x', large: 'x'.repeat(1024 * 1024 + 1) });
    const render = (template: string) =>
      new BoundedWriter().renderPart(template, context, escapeValue);

    expect(render('{{small}}')).toBe('x');
    expect(() => render('{{large}}')).toThrow(OutOfBounds);
    expect(escaped).toBe(1);
  });

  it('counts the bytes of all parts together', () => {
    const writer = new BoundedWriter();
    const context = new VariableContext({ half: 'x'.repeat(512 * 1024) });
    const render = (template: string) => writer.renderPart(template, context, (text) => text);

    render('{{half}}{{half}}');

    expect(() => render('x')).toThrow(OutOfBounds);
  });
});

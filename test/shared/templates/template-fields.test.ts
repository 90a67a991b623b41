import { describe, expect, it } from 'vitest';
import { templateFields } from '#shared/templates/template-fields';

const { name, subject, htmlContent, content } = templateFields;
const bodies = [
  ['htmlContent', htmlContent],
  ['content', content],
] as const;

describe("a template's name", () => {
  it.each([
    ['100 characters', 'x'.repeat(100), 'x'.repeat(100)],
    ['blanks around it, which go', ' Receipt ', 'Receipt'],
    ['a letter with its accent apart, which is joined', 'Re\u0301sume\u0301', 'R\u00e9sum\u00e9'],
  ])('may have %s', (_what, text, stored) => {
    expect(name.parse(text)).toBe(stored);
  });

  it.each([
    ['empty', ''],
    ['blank', '  '],
    ['of 101 characters', 'x'.repeat(101)],
    ['of two lines', 'a\nb'],
    ['broken Unicode', '\ud800'],
  ])('may not be %s', (_what, text) => {
    expect(name.safeParse(text).success).toBe(false);
  });
});

describe("a template's subject", () => {
  it('may have 998 characters', () => {
    expect(subject.parse('x'.repeat(998))).toHaveLength(998);
  });

  it.each([
    ['of 999 characters', 'x'.repeat(999)],
    ['of two lines', 'a\r\nBcc: eve@example.com'],
    ['broken Unicode', '\udc00'],
    ['a section that is never closed', '{{#a}}'],
  ])('may not be %s', (_what, text) => {
    expect(subject.safeParse(text).success).toBe(false);
  });
});

describe.each(bodies)("a template's %s", (_name, schema) => {
  it('may have 256 KB, counted in bytes', () => {
    const full = 'é'.repeat(128 * 1024);

    expect(schema.safeParse(full).success).toBe(true);
    expect(schema.safeParse(`${full}x`).success).toBe(false);
  });

  it.each([
    ['empty', ''],
    ['broken Unicode', '\ud800'],
    ['with a tag that is not closed', '{{a'],
  ])('may not be %s', (_what, text) => {
    expect(schema.safeParse(text).success).toBe(false);
  });
});

import { expect, it } from 'vitest';
import { copyNameOf } from '#shared/resend/templates';
import { templateFields } from '#shared/templates/template-fields';

it.each([
  ['Receipt', 1, 'Receipt (copy)'],
  ['Receipt', 2, 'Receipt (copy 2)'],
  ['x'.repeat(100), 1, `${'x'.repeat(93)} (copy)`],
  [`${'x'.repeat(92)}😀`, 1, `${'x'.repeat(92)} (copy)`],
])('a copy of %j has a name that may be stored', (name, copy, copyName) => {
  expect(copyNameOf(name, copy)).toBe(copyName);
  expect(templateFields.name.parse(copyName)).toBe(copyName);
});

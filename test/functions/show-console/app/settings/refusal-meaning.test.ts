import { expect, it } from 'vitest';
import { errors } from '#shared/errors/errors';
import { withoutAnswer } from '../../../../../functions/show-console/app/settings/refusal-meaning.ts';

it('says of each error only what a page without its answer can show', () => {
  const meanings = Object.values(errors).map(({ meaning }) => withoutAnswer(meaning));

  expect(meanings.filter((one) => one.includes('`errors`'))).toEqual([]);
  expect(meanings.filter((one) => /(?<!the answer’s )`detail`/.test(one))).toEqual([]);
  expect(meanings.every((one) => /^[A-Z`].*\.$/.test(one))).toBe(true);
});

it('keeps the rest of a meaning', () => {
  expect(withoutAnswer(errors.validation_failed.meaning)).toBe('A field is missing or invalid.');
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type DeclaredVariables,
  variableTypes,
  withFallbacks,
} from '#shared/templates/declared-variables';
import { serviceErrorOf } from '../../support/service-error.ts';

const samples = { string: 'x', number: 0, boolean: false, object: {}, list: [] };

describe('declared variables', () => {
  it.each(variableTypes)('of type %s accept only a value of that type', async (type) => {
    const declared: DeclaredVariables = { a: { type } };
    expect(withFallbacks(declared, { a: samples[type] })).toEqual({ a: samples[type] });
    for (const other of variableTypes.filter((one) => one !== type)) {
      const error = await serviceErrorOf(async () =>
        withFallbacks(declared, { a: samples[other] }),
      );
      expect(error.errors).toEqual([{ path: 'variables.a', message: expect.any(String) }]);
    }
  });

  it.each([undefined, null])('count %s as missing', async (missing) => {
    const declared: DeclaredVariables = {
      name: { type: 'string', fallback: 'friend' },
      other: { type: 'string' },
    };
    const required: DeclaredVariables = { name: { type: 'string', required: true } };

    expect(withFallbacks(declared, { name: missing })).toMatchObject({ name: 'friend' });
    expect(
      (await serviceErrorOf(async () => withFallbacks(required, { name: missing }))).errors,
    ).toEqual([{ path: 'variables.name', message: 'is required by the template' }]);
  });

  it("don't affect undeclared ones", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (given) => {
        const { a: _, ...others } = withFallbacks(
          { a: { type: 'string', fallback: 'x' } },
          { ...given, a: null },
        );
        const { a: _a, ...rest } = given;
        expect(others).toEqual(rest);
      }),
    );
  });
});

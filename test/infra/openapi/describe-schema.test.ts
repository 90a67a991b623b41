import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { describeSchema } from '../../../infra/openapi/describe-schema.ts';

describe('a schema in the description', () => {
  it('is closed as a request, and open as an answer', () => {
    const schema = z.strictObject({ a: z.string() });

    const { additionalProperties } = describeSchema(schema, 'input', {});
    const answer = describeSchema(schema, 'output', {});

    expect(additionalProperties).toBe(false);
    expect(answer).not.toHaveProperty('additionalProperties');
  });

  it('keeps what the values of a record are', () => {
    const described = describeSchema(z.record(z.string(), z.int()), 'output', {});

    expect(described.additionalProperties).toEqual({ type: 'integer' });
  });

  it("drops the bounds of JavaScript's numbers", () => {
    const described = describeSchema(
      z.object({ a: z.int(), b: z.int().check(z.gte(1)) }),
      'output',
      {},
    );

    expect(described.properties).toEqual({
      a: { type: 'integer' },
      b: { type: 'integer', minimum: 1 },
    });
  });

  it('drops patterns that only JavaScript understands', () => {
    const plain = z.string().check(z.regex(/^[a-z]+$/));
    const unicode = z.string().check(z.regex(/^\p{L}+$/u));

    expect(describeSchema(plain, 'input', {})).toEqual({ type: 'string', pattern: '^[a-z]+$' });
    expect(describeSchema(unicode, 'input', {})).toEqual({ type: 'string' });
  });

  it('leaves out a field that is named only to be refused', () => {
    const schema = z.object({ a: z.string(), b: z.exactOptional(z.never()) });

    expect(Object.keys(describeSchema(schema, 'input', {}).properties ?? {})).toEqual(['a']);
  });

  it('takes the words of the longest path, the endpoint’s own before the glossary’s', () => {
    const at = z.object({ at: z.int() });
    const schema = z.object({ attempts: z.array(at), disabled: at, createdAt: z.int() });
    const words = { at: 'At.', 'attempts.at': 'Made at.', createdAt: 'Made.' };

    const { properties } = describeSchema(schema, 'output', words);

    expect(properties?.['attempts']?.items?.properties?.['at']?.description).toBe('Made at.');
    expect(properties?.['disabled']?.properties?.['at']?.description).toBe('At.');
    expect(properties?.['createdAt']?.description).toBe('Made.');
    expect(properties?.['attempts']?.description).toMatch(/oldest first/);
  });
});

import { readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import type { Answer } from '#shared/endpoints/endpoint';
import { backgroundFunctions, declaringFunctions } from '../../functions/endpoints.ts';
import { endpointNames, endpointOf, routes } from '../../functions/routes.ts';
import { alternativesOf } from '../../infra/openapi/describe-schema.ts';

// What the types can't hold about the endpoints in `functions/<name>/<name>.ts`.

const root = resolve(import.meta.dirname, '../..');

describe.each(endpointNames)('the declaration of %s', (name) => {
  const endpoint = endpointOf(name);
  const { access, path, query, headers, body, answers, words } = endpoint;
  const bodies = Object.values<Answer>(answers).flatMap((answer) =>
    answer.body === undefined ? [] : [{ schema: answer.body, example: answer.example }],
  );

  it('has a summary without a full stop, and a description in sentences', () => {
    expect(words.summary).toMatch(/^[A-Z].{5,70}[^.]$/);
    expect(words.description).toMatch(/[.:]$/);
  });

  it('names its path parameters', () => {
    const paths = routes.filter(({ functionName }) => functionName === name);
    const parameters = paths.flatMap((route) =>
      [...route.path.matchAll(/\{(\w+)\+?\}/g)].map(([, one]) => one),
    );

    const described = path instanceof z.ZodMiniObject ? Object.keys(path.shape) : [];
    expect(described).toEqual([...new Set(parameters)]);
  });

  it('asks a session for its key only for fields in its body', () => {
    const { freshSession } = typeof access === 'object' ? access : {};
    const fields = Array.isArray(freshSession) ? freshSession : [];
    const { properties = {} } = body ? z.toJSONSchema(body, { io: 'input' }) : {};

    expect(Object.keys(properties)).toEqual(expect.arrayContaining(fields));
  });

  it('has an example of a valid request', () => {
    const { example = {} } = words;

    expect(faultsOf(path, example.path)).toEqual([]);
    expect(faultsOf(query, example.query ?? {})).toEqual([]);
    expect(faultsOf(headers, example.headers ?? {})).toEqual([]);
    expect(faultsOf(body, example.body)).toEqual([]);
  });

  it('has an example of each JSON answer', () => {
    for (const { schema, example } of bodies) {
      for (const json of alternativesOf(schema).filter(isJson)) {
        expect(faultsOf(json, example)).toEqual([]);
      }
    }
  });

  it('can be described as JSON Schema', () => {
    for (const input of [path, query, headers, body]) {
      if (input) expect(() => z.toJSONSchema(input, { io: 'input' })).not.toThrow();
    }
    for (const { schema } of bodies) {
      expect(() => z.toJSONSchema(schema, { io: 'output' })).not.toThrow();
    }
  });
});

/** What the schema says against the value; nothing for a part that the endpoint doesn't have. */
function faultsOf(schema: z.core.$ZodType | undefined, value: unknown): readonly string[] {
  if (schema === undefined) return [];
  const { error } = z.safeParse(schema, value);
  return error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`) ?? [];
}

const isJson = (schema: z.core.$ZodType): boolean =>
  schema instanceof z.ZodMiniObject || schema instanceof z.ZodMiniRecord;

describe('the list of functions', () => {
  it('contains exactly the existing folders', () => {
    const folders = readdirSync(resolve(root, 'functions'), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name);

    const others = { ...backgroundFunctions, ...declaringFunctions };
    const listed = [...endpointNames, ...Object.keys(others)];
    expect(listed.toSorted()).toEqual(folders.toSorted());
  });
});

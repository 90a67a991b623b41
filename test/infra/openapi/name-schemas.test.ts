import { createConfig, lintFromString } from '@redocly/openapi-core';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { describeService } from '../../../infra/openapi/describe-service.ts';
import { routedEndpoints } from '../../../infra/openapi/endpoints.ts';
import { nameSchemas } from '../../../infra/openapi/name-schemas.ts';

const inline = describeService(routedEndpoints);
const document = nameSchemas(inline);
const { schemas } = document.components;

/** Puts every schema back to where its name stands. */
function resolve(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(resolve);
  if (typeof value !== 'object' || value === null) return value;
  const fields = z.record(z.string(), z.unknown()).parse(value);
  const name = /^#\/components\/schemas\/(.+)$/.exec(String(fields['$ref']))?.[1] ?? '';
  const isOurs = name in schemas && !(name in inline.components.schemas);
  return isOurs
    ? resolve(schemas[name])
    : Object.fromEntries(Object.entries(fields).map(([key, one]) => [key, resolve(one)]));
}

/** Objects with fields that stand in a place of their own. */
function unnamedIn(value: unknown): unknown[] {
  if (Array.isArray(value)) return value.flatMap(unnamedIn);
  if (typeof value !== 'object' || value === null) return [];
  const isObject = 'type' in value && value.type === 'object' && 'properties' in value;
  return [...(isObject ? [value] : []), ...Object.values(value).flatMap(unnamedIn)];
}

describe('the names of schemas', () => {
  it("don't change what is described", () => {
    expect(resolve({ ...document.paths, ...document.webhooks })).toEqual(
      resolve({ ...inline.paths, ...inline.webhooks }),
    );
  });

  it('cover every object', () => {
    const bodies = [document.paths, document.webhooks].flatMap((items) =>
      Object.values(items).flatMap((item) =>
        Object.values(item).flatMap(({ requestBody, responses }) =>
          [requestBody, ...Object.values(responses)].flatMap((one) =>
            Object.values(one?.content ?? {}).map(({ schema }) => schema),
          ),
        ),
      ),
    );

    expect(bodies.flatMap(unnamedIn)).toEqual([]);
    expect(bodies.length).toBeGreaterThan(100);
  });

  it('distinguish the two bodies of a send by their fields', () => {
    expect(schemas['SendEmailRequest']).toMatchObject({
      anyOf: [
        { $ref: '#/components/schemas/SendEmailRequestWithSubject' },
        { $ref: '#/components/schemas/SendEmailRequestWithTemplateId' },
      ],
    });
  });

  it('pass a public linter without a warning', async () => {
    // A redirect is a success, and the only one that a tracked link has.
    const rules = { 'operation-2xx-response': 'off' } as const;
    const config = await createConfig({ extends: ['recommended-strict'], rules });

    const problems = await lintFromString({ source: JSON.stringify(document), config });

    expect(problems.map(({ message, location }) => [message, location[0]?.pointer])).toEqual([]);
  });
});

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { scopesOf } from '#shared/openapi/endpoint-reference';
import { routes } from '../../functions/routes.ts';
import { alternativesOf } from '../../infra/openapi/describe-schema.ts';
import { loadReference, loadSchemas } from '../../infra/openapi/endpoints.ts';

// `shared/openapi/endpoint-reference.ts` has the form of a reference.

const read = (path: string) => readFileSync(resolve(import.meta.dirname, '../..', path), 'utf8');

const httpFunctions = [...new Set(routes.map(({ functionName }) => functionName))];

describe.each(httpFunctions)('the reference of %s', (name) => {
  it('has the form of a reference, and is nothing that a handler loads', () => {
    expect(read(`functions/${name}/reference.ts`)).toMatch(/\bsatisfies EndpointReference;\n$/);
    expect(read(`functions/${name}/handler.ts`)).not.toContain('./reference');
  });

  it('has a summary without a full stop, and a description in sentences', async () => {
    const { summary, description } = await loadReference(name);

    expect(summary).toMatch(/^[A-Z].{5,70}[^.]$/);
    expect(description).toMatch(/[.:]$/);
  });

  it('tells whether people come here', async () => {
    const { isForPeople = false } = await loadReference(name);

    expect(isForPeople).toBe(/\bpageEndpoint\(/.test(read(`functions/${name}/handler.ts`)));
  });

  it('gives an example of the request that the endpoint takes', async () => {
    const { example = {} } = await loadReference(name);
    const { pathSchema, querySchema, headersSchema, requestSchema } = await loadSchemas(name);

    expect(faultsOf(pathSchema, example.path)).toEqual([]);
    expect(faultsOf(querySchema, example.query ?? {})).toEqual([]);
    expect(faultsOf(headersSchema, example.headers ?? {})).toEqual([]);
    expect(faultsOf(requestSchema, example.body)).toEqual([]);
  });

  it('gives an example of each answer that is JSON', async () => {
    const { answers } = await loadReference(name);
    const { responseSchema } = await loadSchemas(name);
    const json = alternativesOf(responseSchema).filter(isJson);

    const withBody = Object.entries(answers).filter(([status]) => Number(status) < 204);

    for (const schema of json) {
      for (const [, { example }] of withBody) expect(faultsOf(schema, example)).toEqual([]);
    }
  });
});

/** What the schema says against the value; nothing of a schema that the endpoint does not have. */
function faultsOf(schema: z.core.$ZodType | undefined, value: unknown): readonly string[] {
  if (schema === undefined) return [];
  const { error } = z.safeParse(schema, value);
  return error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`) ?? [];
}

const isJson = (schema: z.core.$ZodType): boolean =>
  schema instanceof z.ZodMiniObject || schema instanceof z.ZodMiniRecord;

describe('the table of endpoints in the README', () => {
  const [, section = ''] = read('functions/README.md').split('\n## Every endpoint\n');
  const [text = ''] = section.split('\n## ');
  const rows = [...text.matchAll(/^\| (`[A-Z].*?`) \| (.*?) \|/gm)];
  const table = rows.flatMap(([, cell = '', access = '']) => {
    const [, methods = '', path = ''] = /`([A-Z`, ]+) (\/\S+)`/.exec(cell) ?? [];
    return methods
      .split(/`?, `/)
      .filter((method) => path !== '' && /^[A-Z]+$/.test(method))
      .map((method) => [`${method} ${path}`, access.replaceAll('`', '')]);
  });

  it('has every endpoint, and what its reference says of the key', async () => {
    const wanted = await Promise.all(
      routes.map(async ({ method, path, functionName }) => {
        const { access } = await loadReference(functionName);
        return [`${method} ${path}`, accessInWords(access)];
      }),
    );

    const ofEndpoints = new Map(table.map(([key = '', access]) => [key, access]));

    expect(Object.fromEntries(ofEndpoints)).toMatchObject(Object.fromEntries(wanted));
    expect(ofEndpoints.size).toBe(wanted.length);
  });
});

function accessInWords(access: Awaited<ReturnType<typeof loadReference>>['access']): string {
  switch (access) {
    case 'anybody':
      return 'none';
    case 'cron_secret':
      return 'cron secret';
    case 'operator_secret':
      return 'operator secret';
    case 'session':
      return 'session';
    default: {
      const key = scopesOf(access).join(' or ') || 'any';
      return access.key === 'optional' ? `${key}, or none` : key;
    }
  }
}

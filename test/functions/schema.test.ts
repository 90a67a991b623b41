import { existsSync, globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import {
  csvFile,
  gifImage,
  htmlPage,
  noBody,
  openApiDescription,
  scriptFile,
  styleFile,
} from '#shared/http/response-body';
import { defaultFunction, routes } from '../../functions/routes.ts';
import { loadSchemas } from '../../infra/openapi/endpoints.ts';

// An OpenAPI description is made of these schemas, so a function parses and answers by no others.

const root = resolve(import.meta.dirname, '../..');
const read = (path: string) => readFileSync(resolve(root, path), 'utf8');

const httpFunctions = [...new Set(routes.map(({ functionName }) => functionName))];
/** It reads nothing of a request but its line, and answers problems only. */
const hasNoSchema = new Set([`functions/${defaultFunction}/schema.ts`]);
const schemaPath = (name: string) => `functions/${name}/schema.ts`;
const handlerOf = (name: string) => read(`functions/${name}/handler.ts`);

/** How often the other files of a function mention a name. The import is one mention. */
function mentionsOf(name: string, functionName: string): number {
  const others = globSync(`functions/${functionName}/*.ts`, { cwd: root }).filter(
    (path) => path !== schemaPath(functionName),
  );
  return others.flatMap((path) => read(path).match(new RegExp(`\\b${name}\\b`, 'g')) ?? []).length;
}

const answersOf = (schema: z.core.$ZodType | undefined): readonly z.core.$ZodType[] =>
  schema instanceof z.ZodMiniUnion ? schema.def.options.flatMap(answersOf) : schema ? [schema] : [];

/** What a handler answers with that answers no JSON. */
const otherAnswers = new Map<z.core.$ZodType, RegExp>([
  [noBody, /\b(?:noContentResponse|redirectResponse|jsonFileResponse|pageFileResponse)\b/],
  [htmlPage, /\b(?:pageResponse|pageFileResponse|previewResponse|showConsole)\(/],
  [scriptFile, /\bshowConsole\(/],
  [styleFile, /\bshowConsole\(/],
  [openApiDescription, /\bjsonFileResponse\(/],
  [gifImage, /\bpixelResponse\b/],
  [csvFile, /\bcsvResponse\(/],
]);

describe.each(httpFunctions)('the schema file of %s', (name) => {
  it('has the schemas that an endpoint may have, and what it answers', async () => {
    expect(await loadSchemas(name)).toHaveProperty('responseSchema');
  });

  it('describes each parameter of its paths', async () => {
    const paths = routes.filter((route) => route.functionName === name).map(({ path }) => path);
    const parameters = paths.flatMap((path) =>
      [...path.matchAll(/\{(\w+)\+?\}/g)].map(([, one]) => one),
    );

    const { pathSchema } = await loadSchemas(name);

    const described = pathSchema instanceof z.ZodMiniObject ? Object.keys(pathSchema.shape) : [];
    expect(described).toEqual([...new Set(parameters)]);
  });

  it('describes body and query, if the handler takes them', async () => {
    const handler = handlerOf(name);
    const { requestSchema, querySchema } = await loadSchemas(name);

    const takesBody = /\b(?:jsonEndpoint|csvEndpoint|sendEndpoint)\(|\breadFields\(/.test(handler);
    expect(requestSchema !== undefined).toBe(takesBody);
    expect(querySchema !== undefined).toBe(/\bquery\b/.test(handler));
  });

  it('is all that the handler reads a request by', async () => {
    const { responseSchema: _, ...inputs } = await loadSchemas(name);
    const unused = Object.keys(inputs).filter((schema) => mentionsOf(schema, name) < 2);

    expect(unused).toEqual([]);
    expect(handlerOf(name)).not.toMatch(/\b(?:pathParameters|query|headers|fields)(?:\[|\.)/);
  });

  it('is what the handler answers by', async () => {
    const answers = answersOf((await loadSchemas(name)).responseSchema);
    const isJson = answers.some((answer) => !otherAnswers.has(answer));

    for (const [answer, response] of otherAnswers) {
      expect(response.test(handlerOf(name))).toBe(answers.includes(answer));
    }
    expect(mentionsOf('responseSchema', name) >= 2).toBe(isJson);
  });

  it('can be described as JSON Schema', async () => {
    const { responseSchema, ...inputs } = await loadSchemas(name);
    const answers = answersOf(responseSchema).filter((answer) => answer !== noBody);

    for (const input of Object.values(inputs)) {
      expect(() => z.toJSONSchema(input, { io: 'input' })).not.toThrow();
    }
    for (const answer of answers) {
      expect(() => z.toJSONSchema(answer, { io: 'output' })).not.toThrow();
    }
  });
});

describe('the schema file of a function that no route leads to', () => {
  const others = globSync('functions/*/schema.ts', { cwd: root })
    .map((path) => path.split('/')[1] ?? '')
    .filter((name) => !httpFunctions.some((known) => known === name));

  it.each(others)('%s holds only what the function parses by or answers by', (name) => {
    const names = [...read(schemaPath(name)).matchAll(/^export const (\w+)/gm)].map(
      ([, one = '']) => one,
    );

    expect(names).not.toEqual([]);
    expect(names.filter((one) => mentionsOf(one, name) < 2)).toEqual([]);
  });
});

describe('a function', () => {
  const folders = globSync('functions/*/', { cwd: root }).map((path) => path.split('/')[1] ?? '');
  /** These are `shared/sending/send-email.ts` and `shared/http/built-file.ts`, and tested there. */
  const operationIsShared = ['send-email', 'send-global-email', 'get-openapi', 'show-docs'];

  it.each(folders)('%s has a handler, its schemas, its operation, and tests', (name) => {
    const isShared = operationIsShared.includes(name);
    const operation = isShared ? [] : [`functions/${name}/${name}.ts`, `test/functions/${name}`];
    const wanted = [`functions/${name}/handler.ts`, schemaPath(name), ...operation];

    expect(
      wanted.filter((path) => !hasNoSchema.has(path) && !existsSync(resolve(root, path))),
    ).toEqual([]);
  });
});

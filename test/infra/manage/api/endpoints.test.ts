import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import type { Answer } from '#shared/endpoints/endpoint';
import { endpointOf, routes } from '../../../../functions/routes.ts';
import { addressOf, endpoints } from '../../../../infra/manage/api/endpoints.ts';

const types = z.pipe(
  z.union([
    z.array(z.string()),
    z.pipe(
      z.string(),
      z.transform((type) => [type]),
    ),
  ]),
  z.array(z.string()),
);
const jsonSchema = z.object({
  type: z._default(types, []),
  properties: z._default(z.record(z.string(), z.unknown()), {}),
  required: z._default(z.array(z.string()), []),
  items: z.optional(z.unknown()),
  anyOf: z.optional(z.array(z.unknown())),
});

const describeSchema = (schema: z.core.$ZodType): unknown =>
  z.toJSONSchema(schema, { io: 'output', unrepresentable: 'any' });

type Branch = Omit<z.output<typeof jsonSchema>, 'type' | 'anyOf'> & { readonly type: string };

/** What a value may be: one entry for each type. */
function branchesOf(schema: unknown): Branch[] {
  const { anyOf, type, ...rest } = jsonSchema.parse(schema);
  if (anyOf !== undefined) return anyOf.flatMap(branchesOf);
  return type.map((one) => ({ type: one === 'integer' ? 'number' : one, ...rest }));
}

/** Where answers that fit `served` do not fit `read`, by path. What has no type fits everything. */
function misfits(served: unknown, read: unknown, path = 'answer'): string[] {
  const clients = branchesOf(read);
  if (clients.length === 0) return [];
  return branchesOf(served).flatMap((server) => {
    const client = clients.find(({ type }) => type === server.type);
    if (client === undefined) return [`${path} may be ${server.type}`];
    return innerMisfits(server, client, path);
  });
}

function innerMisfits(server: Branch, client: Branch, path: string): string[] {
  if (server.type === 'array') return misfits(server.items, client.items, `${path}[]`);
  return Object.entries(client.properties).flatMap(([name, property]) => {
    const inner = `${path}.${name}`;
    if (!(name in server.properties)) return [`${inner} is never there`];
    const mayBeAbsent = !server.required.includes(name);
    if (mayBeAbsent && client.required.includes(name)) return [`${inner} may be absent`];
    return misfits(server.properties[name], property, inner);
  });
}

describe('what the commands read of an answer', () => {
  it.each(Object.entries(endpoints))('of %s is what the function answers', (name, read) => {
    const route = routes.find(({ key }) => key === name);
    const answers = route && Object.values<Answer>(endpointOf(route.functionName).answers);

    const served = answers?.[0]?.body ?? z.undefined();
    expect(misfits(describeSchema(served), describeSchema(read))).toEqual([]);
  });

  it.each([
    ['a field that nobody answers', z.object({ a: z.string() }), z.object({ b: z.string() })],
    ['a field of another type', z.object({ a: z.int() }), z.object({ a: z.string() })],
    [
      'a field that may be absent',
      z.object({ a: z.optional(z.string()) }),
      z.object({ a: z.string() }),
    ],
    ['a field that may be null', z.nullable(z.string()), z.string()],
    ['an entry of another type', z.array(z.string()), z.array(z.number())],
  ])('is not %s', (_, served, read) => {
    expect(misfits(describeSchema(served), describeSchema(read))).toHaveLength(1);
  });
});

describe('the address of an endpoint', () => {
  it('has its values encoded', () => {
    const address = addressOf('GET /api/v1/recipients/{email}', { email: 'a/b?c@example.com' });

    expect(address).toEqual({ method: 'GET', path: '/api/v1/recipients/a%2Fb%3Fc%40example.com' });
  });
});

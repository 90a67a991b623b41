import * as z from 'zod/mini';
import type { Equipped } from '#shared/endpoints/endpoint';
import type { Lambda } from '#shared/endpoints/lambda';

/** A function's role has the permissions that it declares, and those of everything that it uses. */
export function lambdaOf({ lambda: own, uses = {} }: Equipped): Lambda {
  const roles = Object.values(uses).flatMap((used) =>
    typeof used === 'object' && 'role' in used ? [used.role] : [],
  );
  let lambda = own;
  for (const role of roles) lambda = { ...lambda, ...joined(lambda, role) };
  return lambda;
}

/** Joins lists and records, including environments. Other values must be equal wherever they're set. */
function joined(own: Partial<Lambda>, role: Partial<Lambda>): Partial<Lambda> {
  const environment = role.environment &&
    own.environment && { environment: z.extend(own.environment, role.environment.shape) };
  return { ...joinedRecord(own, role), ...environment };
}

type Joinable = Readonly<Record<string, unknown>>;

function joinedRecord(one: Joinable, other: Joinable): object {
  return Object.fromEntries(
    Object.entries(other).map(([name, value]) => [name, joinedValue(one[name], value)]),
  );
}

function joinedValue(one: unknown, other: unknown): unknown {
  if (Array.isArray(one) && Array.isArray(other)) return [...new Set([...one, ...other])];
  return isRecord(one) && isRecord(other) ? { ...one, ...joinedRecord(one, other) } : other;
}

const isRecord = (value: unknown): value is Joinable =>
  typeof value === 'object' && value !== null && !('_zod' in value);

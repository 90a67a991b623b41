import * as z from 'zod/mini';
import { cut } from '#shared/errors/bounded';
import { notStored } from '#shared/table/table-attributes';
import { maxMetadataBytes } from '../send-options.ts';

const mostLevels = 30;
/** DynamoDB's smallest positive number. */
const smallest = 1e-130;

/** A JSON object that DynamoDB stores unchanged. */
export const metadata = cut(
  maxMetadataBytes,
  z.record(z.string(), z.unknown()).check(
    z.superRefine((given, context) => {
      // The size first: what has more is walked by nothing.
      const fault = faultOfSize(given) ?? faultIn(given, []);
      if (fault !== undefined) context.addIssue({ code: 'custom', ...fault });
    }),
  ),
);

type Fault = { readonly path: string[]; readonly message: string };

function faultIn(value: unknown, path: string[]): Fault | undefined {
  if (typeof value === 'string') return value.isWellFormed() ? undefined : notWellFormed(path);
  if (typeof value === 'number') return isExact(value) ? undefined : { path, message: inexact };
  if (typeof value !== 'object' || value === null) return undefined;
  if (path.length > mostLevels) {
    return { path: [], message: `must not nest deeper than ${mostLevels} levels` };
  }
  for (const [name, inner] of Object.entries(value)) {
    const fault = faultOfName(name, path) ?? faultIn(inner, [...path, name]);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function faultOfName(name: string, path: string[]): Fault | undefined {
  if (!name.isWellFormed()) return notWellFormed(path);
  if (name === '') return { path, message: 'must not have a field without a name' };
  if (name === notStored) return { path, message: `must not have a field named ${notStored}` };
  return undefined;
}

const notWellFormed = (path: string[]): Fault => ({ path, message: 'must be well-formed Unicode' });

const isExact = (number: number): boolean =>
  number === 0 || (Math.abs(number) >= smallest && Math.abs(number) <= Number.MAX_SAFE_INTEGER);

const inexact = `must be at most ${Number.MAX_SAFE_INTEGER}, and 0 or at least ${smallest}, either sign: give other numbers as strings`;

const faultOfSize = (given: unknown): Fault | undefined =>
  Buffer.byteLength(JSON.stringify(given)) <= maxMetadataBytes
    ? undefined
    : { path: [], message: `must have at most ${maxMetadataBytes} bytes as JSON` };

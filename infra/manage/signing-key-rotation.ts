import { createHash } from 'node:crypto';
import * as z from 'zod';
import { secretKeptForMs } from '#shared/config/secret-lifetime';
import type { SecretVersion } from './aws/secrets.ts';

// The rotation of the key that signs links:
//
// | the current version                 | what happens next                                    |
// |-------------------------------------|------------------------------------------------------|
// | anything but the following          | `add`: a new key, which verifies but doesn't sign    |
// | has a key added a short time ago    | `wait`, until every function has read it             |
// | has a key added long enough ago     | `promote`: the added key becomes current, and signs  |
//
// The version's id says which key was added, so the next call can continue from any machine. The id is derived from the
// previous version's: if two calls add a key at once, Secrets Manager accepts only one, because an id has one text.

const keyringSchema = z.intersection(
  z.object({ current: z.string() }),
  z.record(z.string(), z.string()),
);

export type RotationStep =
  | {
      readonly step: 'add' | 'promote';
      readonly key: string;
      readonly text: string;
      readonly versionId: string;
    }
  | { readonly step: 'wait'; readonly key: string; readonly until: number };

/**
 * A function keeps a secret for five minutes. The other five allow for clock differences: AWS dates the version, but
 * this machine reads the time.
 */
export const spreadMs = 2 * secretKeptForMs;

/** @param newKey the secret of the key to add, at least 32 characters */
export function nextStep(version: SecretVersion, newKey: string, now: number): RotationStep {
  const keyring = keyringSchema.parse(JSON.parse(version.text));
  const added = addedKeyOf(version, keyring);
  if (added === undefined) {
    const key = newNameIn(keyring);
    return change('add', key, { ...keyring, [key]: newKey }, version);
  }
  const until = version.createdAt + spreadMs;
  if (now < until) return { step: 'wait', key: added, until };
  return change('promote', added, { ...keyring, current: added }, version);
}

/** An added key doesn't sign yet. */
export function addedKeyOf(
  { versionId }: Pick<SecretVersion, 'versionId'>,
  keyring: Readonly<Record<string, string>>,
): string | undefined {
  const key = /^signing-key-add-(k\d+)-/.exec(versionId)?.[1];
  return key !== undefined && key in keyring && keyring['current'] !== key ? key : undefined;
}

function change(
  step: 'add' | 'promote',
  key: string,
  keyring: Readonly<Record<string, string>>,
  { versionId: before }: SecretVersion,
): RotationStep {
  const digest = createHash('sha256').update(before).digest('hex').slice(0, 24);
  // Secrets Manager requires 32 to 64 characters.
  return {
    step,
    key,
    text: JSON.stringify(keyring),
    versionId: `signing-key-${step}-${key}-${digest}`,
  };
}

/** `k` and the next number. */
function newNameIn(keyring: Readonly<Record<string, string>>): string {
  const numbers = Object.keys(keyring).map((name) => Number(/^k(\d{1,9})$/.exec(name)?.[1] ?? 0));
  return `k${Math.max(0, ...numbers) + 1}`;
}

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import type { DeclaringFunctionName, FunctionName } from '../../functions/endpoints.ts';
import { allDeclarations, writeBundles } from '../../infra/constructs/function-bundles.ts';
import { sendFunctions } from '../../infra/constructs/function-catalogue.ts';

// A cold start loads the bundle. One value import can double it unseen, as `core` of zod/mini did with all of zod's
// locales, so every function has a limit.

const folder = mkdtempSync(join(tmpdir(), 'bundle-sizes-'));
const { outputs } = writeBundles(
  allDeclarations.map(({ name }) => ({ name })),
  folder,
);
rmSync(folder, { recursive: true });
const bundles = new Map(
  Object.entries(outputs).flatMap(([file, { entryPoint, ...bundle }]) =>
    entryPoint === undefined ? [] : [[basename(dirname(file)), bundle] as const],
  ),
);

/**
 * Bytes, in steps of 5,000: a fix has room, and a library that comes in unseen hasn't.
 * The two that send have SES, attachments and templates in them, and those of domains have SES and the queue.
 */
const limits: Partial<Record<FunctionName | DeclaringFunctionName, number>> = {
  'send-email': 560_000,
  'send-email-batch': 575_000,
  'send-global-email': 560_000,
  // What moments may be, and Resend's errors.
  'reschedule-send': 385_000,
  'resend-api-update-email': 395_000,
  // A send, and what reads contents.
  'send-again': 565_000,
  'send-notices': 505_000,
  'set-identity': 440_000,
  'get-identity': 430_000,
  'create-domain': 440_000,
  'get-domain': 435_000,
  'update-domain': 445_000,
  'verify-domain': 440_000,
  'delete-domain': 415_000,
  // Creating, showing and removing, for an app's stack.
  'declare-domain': 420_000,
  // The same in Resend's words.
  'resend-api-create-domain': 440_000,
  'resend-api-get-domain': 435_000,
  'resend-api-verify-domain': 440_000,
  'resend-api-delete-domain': 415_000,
  // What verifies authenticators, with X.509 for makers' certificates, which nobody is asked for.
  'create-passkey': 645_000,
  'create-passkey-session': 625_000,
  // Workers read a stored request as the endpoints do.
  'send-queued': 520_000,
  'run-send-queue': 525_000,
  // Mustache, the tokenizer of HTML, what templates may say, and its pages.
  'show-preview': 395_000,
  // The text of HTML, and the bucket.
  'resend-api-get-email': 400_000,
  'get-send-content': 400_000,
};

/** Sends in another service's words. */
const foreignSends = new Set<string>(
  sendFunctions.filter((name) => /^(resend|postmark)-api-/.test(name)),
);
const maxForForeignWords = 15_000;

/** Of the others: beside a send of ours; with clients of SES and the table, with the table alone, with neither. */
const limitOf = (name: string, inputs: readonly string[]): number => {
  if (foreignSends.has(name)) {
    const ours = name.includes('-batch') ? 'send-email-batch' : 'send-email';
    return (bundles.get(ours)?.bytes ?? 0) + maxForForeignWords;
  }
  if (inputs.some((file) => file.includes('@aws-sdk/client-sesv2/'))) return 410_000;
  return inputs.some((file) => file.includes('@aws-sdk/client-dynamodb/')) ? 385_000 : 110_000;
};

it.each(allDeclarations)('$name stays within its limit', ({ name }) => {
  const bundle = bundles.get(name);

  const files = Object.keys(bundle?.inputs ?? {});
  const own = limits[name];
  expect(bundle?.bytes).toBeLessThanOrEqual(own ?? limitOf(name, files));
  if (own !== undefined) expect(bundle?.bytes, 'Lower its limit').toBeGreaterThan(own - 12_000);
  expect(files.filter((file) => file.includes('zod/v4/locales/'))).toEqual([]);
});

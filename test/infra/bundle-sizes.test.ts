import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { FunctionName } from '../../functions/endpoints.ts';
import { functionCatalogue } from '../../infra/constructs/function-catalogue.ts';
import { measureFunctions } from '../bench/bundle.ts';

// A cold start loads the bundle. One value import can double it unseen, as `core` of zod/mini did with all of zod's
// locales, so every function has a limit.

const folder = mkdtempSync(join(tmpdir(), 'bundle-sizes-'));
const bundles = await measureFunctions(
  functionCatalogue.map(({ name }) => name),
  folder,
);
rmSync(folder, { recursive: true, force: true });

/** Bytes. The two that send have SES, attachments and templates in them, and those of domains have SES and the queue. */
const limits: Partial<Record<FunctionName, number>> = {
  'send-email': 542_500,
  'send-email-batch': 549_500,
  'send-global-email': 542_000,
  // That, and Resend's names for it.
  'resend-api-send-email': 552_000,
  'resend-api-send-email-batch': 557_400,
  // What moments may be, and Resend's errors.
  'resend-api-update-email': 381_000,
  'resend-api-cancel-email': 376_000,
  // A send, and what reads contents.
  'resend-send': 551_000,
  'send-notices': 498_000,
  'set-identity': 429_000,
  'get-identity': 423_000,
  'create-domain': 431_000,
  'get-domain': 425_500,
  'update-domain': 432_500,
  'verify-domain': 428_500,
  'delete-domain': 408_500,
  // The same in Resend's words.
  'resend-api-create-domain': 432_500,
  'resend-api-get-domain': 428_500,
  'resend-api-verify-domain': 430_500,
  'resend-api-delete-domain': 410_500,
  // Workers read a stored request as the endpoints do.
  'send-queued': 514_000,
  'run-send-queue': 518_000,
  // Mustache, the tokenizer of HTML, and what templates may say.
  'render-template': 383_000,
  // That, and what reads layouts.
  'show-preview': 394_000,
  // The text of HTML, and the bucket.
  'get-send-content': 390_000,
};
/** Of the others: with a client of SES beside that of the table, with the table alone, with neither. */
const limitOf = (inputs: readonly string[]): number => {
  if (inputs.some((file) => file.includes('@aws-sdk/client-sesv2/'))) return 408_000;
  return inputs.some((file) => file.includes('@aws-sdk/client-dynamodb/')) ? 375_500 : 101_500;
};

it.each(functionCatalogue)('$name stays within its limit', ({ name }) => {
  const bundle = bundles.get(name);

  const files = Object.keys(bundle?.inputs ?? {});
  expect(bundle?.bytes).toBeLessThanOrEqual(limits[name] ?? limitOf(files));
  expect(files.filter((file) => file.includes('zod/v4/locales/'))).toEqual([]);
});

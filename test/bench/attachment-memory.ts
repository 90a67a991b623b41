import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod';
import { putNewApiKey } from '#shared/access/api-key-store';
import { putNewOrganization } from '#shared/organizations/organization-store';
import { openTable } from '#shared/table/table-client';
import { launchDynamodb } from '../../infra/local/dynamodb/launch.ts';
import { createTable } from '../../infra/local/dynamodb/table.ts';
import { awsIdentity, setEnvironment, tableName } from '../../infra/local/environment.ts';
import { buildApiKey } from '../support/api-key-builder.ts';
import { startFaultyAws } from '../support/faulty-aws.ts';
import { buildHttpEvent } from '../support/http-event-builder.ts';
import { buildOrganization } from '../support/organization-builder.ts';
import { buildSendBody } from '../support/send-body-builder.ts';
import { bundleFunction } from './bundle.ts';
import { startChild } from './child-process.ts';
import type { Report } from './report.ts';
import { atMost } from './row.ts';
import { median, spread } from './statistics.ts';

const decodedBytes = 4 * 1024 * 1024;
const mostTimes = 6;
const sandboxes = 5;
const sendsInARow = 5;

const measureSchema = z.object({ idle: z.number(), peak: z.number() });

/**
 * Memory that one attachment takes on its way from the event to SES, against its own size: resident, so
 * with what is no longer needed and not collected yet. A function on AWS speaks TLS, whose ciphertext
 * is one more copy.
 */
export async function benchAttachmentMemory(): Promise<Report> {
  const directory = mkdtempSync(join(tmpdir(), 'bench-attachment-'));
  const dynamodb = launchDynamodb();
  const url = await dynamodb.url;
  const aws = await startFaultyAws({
    environment: awsIdentity({}),
    url,
    createTable: async () => createTable(url, tableName),
  });
  const restoreEnvironment = setEnvironment(aws.directEnvironment);
  try {
    await aws.createTable();
    const { file } = await bundleFunction('send-email', directory);
    const events = await writeEvents(directory);
    const settings = { file, env: aws.directEnvironment, smallEvent: events.small };
    const measured: number[][] = [];
    for (let sandbox = 1; sandbox <= sandboxes; sandbox += 1) {
      console.error(`  sandbox ${sandbox} of ${sandboxes}`);
      measured.push(await measureSandbox(settings, events.large));
    }
    return toReport(measured);
  } finally {
    await aws.stop();
    await dynamodb.stop();
    restoreEnvironment();
    rmSync(directory, { recursive: true });
  }
}

/** Peak above idle, in multiples of the decoded attachment, of each of some sends in a row. */
async function measureSandbox(settings: object, event: string): Promise<number[]> {
  const sandbox = await startChild('attachment-sender.ts', settings, z.object({}));
  try {
    const times: number[] = [];
    for (let sent = 0; sent < sendsInARow; sent += 1) {
      const { idle, peak } = await sandbox.ask({ event }, measureSchema);
      times.push((peak - idle) / decodedBytes);
    }
    return times;
  } finally {
    await sandbox.stop();
  }
}

/** Stores an organization that may attach, and writes the events that Lambda would get from it. */
async function writeEvents(directory: string) {
  const table = openTable(tableName);
  const organization = buildOrganization({ attachmentsEnabled: true });
  const { text, apiKey } = buildApiKey({ organizationId: organization.id });
  await putNewOrganization(table, organization);
  await putNewApiKey(table, apiKey);
  const write = (name: string, fields: object) => {
    const file = join(directory, `${name}.json`);
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${text}` };
    const body = JSON.stringify(buildSendBody({ ...fields }));
    writeFileSync(file, JSON.stringify(buildHttpEvent({ headers, body })));
    return file;
  };
  const contentBase64 = Buffer.alloc(decodedBytes, 'attachment').toString('base64');
  return {
    small: write('small', {}),
    large: write('large', { attachments: [{ filename: 'report.pdf', contentBase64 }] }),
  };
}

function toReport(sandboxTimes: readonly (readonly number[])[]): Report {
  const firsts = sandboxTimes.flatMap(([first = Number.NaN]) => [first]);
  const most = Math.max(...sandboxTimes.flat());
  const measured = 'from the event as text to its answer, over HTTP';
  const all = `worst of ${sandboxTimes.length} sandboxes' ${sendsInARow} sends each ${most.toFixed(2)}`;
  return {
    rows: [
      atMost(
        'Send with an attachment of 4 MB: peak of resident memory above idle, over the 4 MB',
        median(firsts),
        mostTimes,
        ` (a sandbox's first such send, ${measured}; middle half ${spread(firsts)}; ${all})`,
      ),
    ],
  };
}

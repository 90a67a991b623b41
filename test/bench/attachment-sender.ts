import { readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import * as z from 'zod/mini';
import { handlerOf } from '../../infra/local/gateway/handler-loader.ts';
import { lambdaContext } from '../support/lambda-context.ts';
import { serveParent } from './child-service.ts';

const settingsSchema = z.object({
  /** The bundled function. */
  file: z.string(),
  env: z.record(z.string(), z.string()),
  /** Holds the event of a send without attachments. */
  smallEvent: z.string(),
});
const jobSchema = z.object({ event: z.string() });
const responseSchema = z.object({ statusCode: z.literal(200) });

const warmUps = 50;

/** One sandbox of a function that sends: measures the memory that an event takes until it is answered. */
serveParent(async (settings) => {
  const { file, env, smallEvent } = settingsSchema.parse(settings);
  Object.assign(process.env, env);
  const handler = handlerOf(await import(file), file);
  /** As Lambda's runtime does: it gets the event's text, and keeps nothing of it but what it parses. */
  const invoke = async (eventFile: string) => {
    const event: unknown = JSON.parse(readFileSync(eventFile, 'utf8'));
    responseSchema.parse(await handler(event, lambdaContext()));
  };
  for (let sent = 0; sent < warmUps; sent += 1) await invoke(smallEvent);

  return {
    ready: {},
    run: async (job) => {
      const { event } = jobSchema.parse(job);
      await rest();
      const idle = residentBytes('VmRSS');
      forgetPeak();
      await invoke(event);
      return { idle, peak: residentBytes('VmHWM') };
    },
  };
});

/** Until what the earlier requests left behind is gone. */
async function rest(): Promise<void> {
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  if (typeof collect !== 'function') throw new Error('No garbage collector to call');
  for (let times = 0; times < 3; times += 1) {
    collect();
    await sleep(50);
  }
}

/** What the kernel counts of this process: resident now, or at the most since `forgetPeak`. */
function residentBytes(name: 'VmRSS' | 'VmHWM'): number {
  const status = readFileSync('/proc/self/status', 'utf8');
  const [, kilobytes] = new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status) ?? [];
  return Number(kilobytes) * 1024;
}

/** proc(5), "/proc/pid/clear_refs": 5 sets the peak back to what is resident. */
const forgetPeak = () => writeFileSync('/proc/self/clear_refs', '5');

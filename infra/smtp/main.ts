import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { exitCodes, Failure } from '../manage/failure.ts';
import { untilInterrupted } from '../manage/interruption.ts';
import { help, readOptions } from './options.ts';
import { type Log, startSmtpServer } from './server.ts';
import { openService } from './service.ts';

const log: Log = (event, facts = {}) =>
  void process.stdout.write(
    `${JSON.stringify({ time: new Date().toISOString(), event, ...facts })}\n`,
  );

process.exit(await run());

async function run(): Promise<number> {
  try {
    const options = readOptions(process.argv.slice(2), {
      environment: process.env,
      // npm runs scripts in the folder of package.json, and says where it was called.
      readFile: (path) => readFileSync(resolve(process.env['INIT_CWD'] ?? '', path), 'utf8'),
      readCheckoutFile: (path) => (existsSync(path) ? readFileSync(path, 'utf8') : undefined),
      listCheckoutFolder: (path) => (existsSync(path) ? readdirSync(path) : []),
    });
    if (options === 'help') {
      process.stdout.write(help);
      return exitCodes.done;
    }
    const { server: settings, baseUrl, isQueued } = options;
    const interrupted = untilInterrupted();
    const service = openService({ baseUrl, fetch, isQueued });
    const { port, stop } = await startSmtpServer(settings, service, log);
    log('listening', { host: settings.host, port, service: baseUrl, starttls: !!settings.tls });
    await interrupted;
    log('stopping');
    await stop();
    return exitCodes.done;
  } catch (error) {
    const failure =
      error instanceof Failure ? error : new Failure(exitCodes.failed, 'unexpected', String(error));
    process.stderr.write(`${failure.lines().join('\n')}\n`);
    return failure.exitCode;
  }
}

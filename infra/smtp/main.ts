import { untilInterrupted } from '../local/interruption.ts';
import { exitCodes, Failure } from '../manage/failure.ts';
import { readFiles } from '../manage/surroundings.ts';
import { log } from './log.ts';
import { help, readOptions } from './options.ts';
import { startSmtpServer } from './server.ts';
import { emailServiceAt } from './service.ts';

process.exit(await run());

async function run(): Promise<number> {
  try {
    const outside = { environment: process.env, ...readFiles };
    const options = readOptions(process.argv.slice(2), outside);
    if (options === 'help') {
      process.stdout.write(help);
      return exitCodes.done;
    }
    const { server: settings, baseUrl, isQueued } = options;
    const interrupted = untilInterrupted();
    const service = emailServiceAt({ baseUrl, fetch, isQueued });
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

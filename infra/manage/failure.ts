import { type ExitCode, exitCodes } from './exit-codes.ts';

/** Why a command ends without success, in words for who typed it. */
export class Failure extends Error {
  readonly exitCode: ExitCode;
  /** Stable, for scripts. */
  readonly code: string;

  constructor(exitCode: ExitCode, code: string, message: string) {
    super(message);
    this.exitCode = exitCode;
    this.code = code;
  }

  /** What a script reads of it. */
  toJson(): Readonly<Record<string, unknown>> {
    return { code: this.code, detail: this.message, exitCode: this.exitCode };
  }

  /** What a person reads of it, line by line. */
  lines(): readonly string[] {
    return [this.message];
  }
}

export const usageFailure = (message: string): Failure =>
  new Failure(exitCodes.usage, 'usage', message);

import { AsyncLocalStorage } from 'node:async_hooks';
import type { Delay } from './delays.ts';
import type { Dice } from './dice.ts';
import type { Fault, FaultKind, FaultSource } from './faults.ts';
import type { Lurking } from './lurking.ts';
import type { Scheduler } from './scheduler.ts';
import { lostError, throttlingError } from './table-errors.ts';
import type { Trace } from './trace.ts';

/** How a process ended. One that stays frozen hasn't ended. */
export type Ending<Result> =
  | { readonly kind: 'returned'; readonly result: Result }
  | { readonly kind: 'threw'; readonly error: unknown }
  | { readonly kind: 'died' };

/** One invocation of a function in its Lambda sandbox: a process whose calls may go wrong. */
export type Sandbox = {
  /** As the trace names it. */
  readonly name: string;
  /** The send that it works on. */
  readonly subject: string;
  readonly startedAt: number;
  /** Whether any of its calls went wrong. */
  hasSuffered(): boolean;
  /** The part of the process that works on another send: it dies with it. */
  part(subject: string): Sandbox;
  /** Makes a call over the network. `apply` is what its receiver does, atomically. */
  call<Answer>(name: string, apply: () => Promise<Answer>): Promise<Answer>;
};

export type SandboxHost = {
  /** Runs an operation in its own sandbox. */
  run<Result>(
    identity: { readonly name: string; readonly subject: string; readonly faults: FaultSource },
    operation: (sandbox: Sandbox) => Promise<Result>,
  ): Promise<Ending<Result>>;
  /** The sandbox in which the caller runs. */
  current(): Sandbox | undefined;
  /** From now on, the caller's work belongs to this part of its process. */
  enter(part: Sandbox): void;
  /** Runs something outside any sandbox. */
  outside<Result>(work: () => Result): Result;
};

type Surroundings = {
  readonly scheduler: Scheduler;
  readonly dice: Dice;
  readonly lurking: Lurking;
  readonly trace: Trace;
  readonly countFault: (kind: FaultKind) => void;
};

export function openSandboxHost(surroundings: Surroundings): SandboxHost {
  const inside = new AsyncLocalStorage<Sandbox | undefined>();
  return {
    run(identity, operation) {
      const { promise: death, resolve: end } = Promise.withResolvers<{ readonly kind: 'died' }>();
      const sandbox = openSandbox(identity, surroundings, () => end({ kind: 'died' }));
      const life = inside
        .run(sandbox, () => operation(sandbox))
        .then(
          (result) => ({ kind: 'returned', result }) as const,
          (error: unknown) => ({ kind: 'threw', error }) as const,
        );
      return Promise.race([life, death]);
    },
    current: () => inside.getStore(),
    enter: (part) => inside.enterWith(part),
    outside: (work) => inside.run(undefined, work),
  };
}

const neverApplied = new Set<FaultKind>(['request lost', 'frozen, request lost', 'throttled']);
const neverAnswered = new Set<FaultKind>(['answer lost', 'frozen, answer lost']);

/** What a dead process waits for. */
const never = <Answer>(): Promise<Answer> => new Promise(() => {});

const longestTravelMs = 12;

function openSandbox(
  { name, subject, faults }: { name: string; subject: string; faults: FaultSource },
  { scheduler, dice, lurking, trace, countFault }: Surroundings,
  onDeath: () => void,
): Sandbox {
  let isDead = false;
  let hasSuffered = false;
  let frozen: Promise<void> | undefined;

  const holdUp = (delay: Delay) => lurking.lurk(subject, delay);
  const travel = () => scheduler.pause(dice.between(0, longestTravelMs));
  const freeze = (delay: Delay): Promise<void> => {
    frozen ??= holdUp(delay).then(() => {
      frozen = undefined;
      trace.tell(name, 'thaws');
    });
    return frozen;
  };
  const die = <Answer>(): Promise<Answer> => {
    isDead = true;
    onDeath();
    return never();
  };
  /** An answer's way back. It arrives only if the process is still alive. */
  const comeHome = async (): Promise<void> => {
    await travel();
    while (frozen !== undefined) await frozen;
    if (isDead) await never();
  };

  /** A request's way. It arrives only if the process lived to send it. */
  const leave = async (fault: Fault | undefined): Promise<void> => {
    if (fault?.kind === 'dies before') await die();
    if (fault?.kind === 'frozen before' || fault?.kind === 'frozen, request lost') {
      await freeze(fault.delay);
      if (isDead) await never();
    }
    if (fault?.kind === 'slow') await holdUp(fault.delay);
    await travel();
  };
  /** The answer that the process will see. What was sent is applied, whatever happens to the process. */
  const applied = async <Outcome>(
    fault: Fault | undefined,
    attempt: () => Promise<Outcome>,
  ): Promise<Outcome> => {
    const outcome = await attempt();
    switch (fault?.kind) {
      case 'copied':
        void holdUp(fault.delay).then(attempt);
        return outcome;
      case 'tried again':
        await travel();
        return attempt();
      case 'frozen, tried again':
        await freeze(fault.delay);
        return isDead ? never() : attempt();
      case 'frozen after':
      case 'frozen, answer lost':
        await freeze(fault.delay);
        return outcome;
      case 'dies after':
        return die();
      default:
        return outcome;
    }
  };
  const notice = (callName: string, fault: Fault): void => {
    hasSuffered = true;
    countFault(fault.kind);
    const delay = 'delay' in fault ? inWords(fault.delay) : '';
    trace.tell(name, `${callName}: ${fault.kind}${delay}`);
  };

  const startedAt = scheduler.now();
  const part = (its: string): Sandbox => ({
    name: its === subject ? name : `${name} ${its}`,
    subject: its,
    startedAt,
    hasSuffered: () => hasSuffered,
    part,
    async call(callName, apply) {
      lurking.touch(its);
      const fault = faults(callName);
      if (fault) notice(callName, fault);

      await leave(fault);
      if (fault && neverApplied.has(fault.kind)) {
        await comeHome();
        throw fault.kind === 'throttled' ? throttlingError() : lostError();
      }
      const outcome = await applied(fault, async () => {
        const settled = await scheduler.hold(settle(apply));
        trace.tell(name, `${callName} → ${settled.summary}`);
        return settled;
      });
      await comeHome();
      if (fault && neverAnswered.has(fault.kind)) throw lostError();
      if ('error' in outcome) throw outcome.error;
      return outcome.answer;
    },
  });
  return part(subject);
}

const inWords = ({ earliestMs, latestMs }: Delay): string =>
  ` for ${earliestMs / 1000} to ${latestMs / 1000} s`;

type Outcome<Answer> =
  | { readonly answer: Answer; readonly summary: string }
  | { readonly error: unknown; readonly summary: string };

async function settle<Answer>(apply: () => Promise<Answer>): Promise<Outcome<Answer>> {
  try {
    const answer = await apply();
    return { answer, summary: 'ok' };
  } catch (error) {
    return { error, summary: error instanceof Error ? error.name : 'error' };
  }
}

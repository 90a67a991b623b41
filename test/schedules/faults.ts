import { anyDelay, type Delay, exactly } from './delays.ts';
import type { Dice } from './dice.ts';

/**
 * What may happen to one call of a process.
 *
 * - `dies before`, `dies after`: the process ends before the call is made, or after it was applied.
 * - `request lost`: nothing is applied, and the process gets an error.
 * - `answer lost`: it is applied, and the process gets an error.
 * - `tried again`: it is applied, its answer is lost, and the SDK tries again: the process sees the second
 *   answer.
 * - `throttled`: nothing is applied, and the SDK gives up on its retries.
 * - `copied`: it is applied, and a copy of the request arrives once more, later.
 * - `slow`: the request takes long.
 * - `frozen before`: the sandbox freezes before the request leaves, and it leaves when the sandbox thaws.
 * - `frozen after`: it freezes before the answer comes, and sees the answer when it thaws.
 * - `frozen, tried again`: as before, but the connection is dead by then, and the SDK tries again.
 * - `frozen, request lost`, `frozen, answer lost`: as before, and the SDK has no more tries.
 */
export type Fault =
  | {
      readonly kind:
        | 'dies before'
        | 'dies after'
        | 'request lost'
        | 'answer lost'
        | 'tried again'
        | 'throttled';
    }
  | {
      readonly kind:
        | 'copied'
        | 'slow'
        | 'frozen before'
        | 'frozen after'
        | 'frozen, tried again'
        | 'frozen, request lost'
        | 'frozen, answer lost';
      readonly delay: Delay;
    };
export type FaultKind = Fault['kind'];

/** Decides what happens to a call, by its name (`PutItem SEND`). */
export type FaultSource = (callName: string) => Fault | undefined;

export const noFaults: FaultSource = () => undefined;

/** The name of a call to SES. */
export const sesCall = 'SES';

const ofTable = [
  ['dies before', 1],
  ['dies after', 1.5],
  ['request lost', 1],
  ['answer lost', 1],
  ['tried again', 2],
  ['throttled', 1],
  ['copied', 2],
  ['slow', 1],
  ['frozen before', 2],
  ['frozen after', 1],
  ['frozen, tried again', 2],
  ['frozen, request lost', 0.5],
  ['frozen, answer lost', 0.5],
] as const satisfies Weights;

/** SES's own answers come from the simulated SES: these happen to the process that asks. */
const ofSes = [
  ['dies before', 1],
  ['dies after', 2],
  ['slow', 1],
  ['frozen before', 1],
  ['frozen after', 2],
] as const satisfies Weights;

type Weights = readonly (readonly [FaultKind, number])[];

/** What goes wrong in a schedule. */
export type FaultPlan = {
  /** The share of calls that have a fault. */
  readonly rate: number;
  /** A kind of call, by the start of its name, that usually has this fault. */
  readonly focus: { readonly call: string; readonly kind: FaultKind } | undefined;
  /** See `anyDelay`. */
  readonly landmarks: readonly [number, ...number[]];
};

const focusRate = 0.5;

/**
 * Draws what goes wrong. Faults of all kinds everywhere seldom meet twice at one place; so half of the
 * schedules with faults have one of them where it hurts, again and again.
 */
export function planFaults(dice: Dice, landmarks: FaultPlan['landmarks']): FaultPlan {
  const rate = dice.weighted([
    [0, 1],
    [0.03, 3],
    [0.1, 4],
    [0.25, 2],
  ]);
  const call = dice.pick([
    'PutItem SEND',
    'UpdateItem SEND',
    'TransactWriteItems',
    'SES',
    'PutItem',
    'BatchGetItem',
  ]);
  const kind = dice.weighted<FaultKind>(call === sesCall ? ofSes : ofTable);
  const hasFocus = rate > 0 && dice.chance(0.5);
  return { rate: hasFocus ? 0.02 : rate, focus: hasFocus ? { call, kind } : undefined, landmarks };
}

/** Faults by chance. */
export const randomFaults =
  (dice: Dice, { rate, focus, landmarks }: FaultPlan): FaultSource =>
  (callName) => {
    const isFocus = focus !== undefined && callName.startsWith(focus.call);
    if (isFocus && dice.chance(focusRate)) return faultOf(focus.kind, dice, landmarks);
    if (!dice.chance(rate)) return undefined;
    const kind = dice.weighted<FaultKind>(callName === sesCall ? ofSes : ofTable);
    return faultOf(kind, dice, landmarks);
  };

function faultOf(kind: FaultKind, dice: Dice, landmarks: FaultPlan['landmarks']): Fault {
  switch (kind) {
    case 'copied':
    case 'frozen before':
    case 'frozen after':
    case 'frozen, tried again':
    case 'frozen, request lost':
    case 'frozen, answer lost':
      return { kind, delay: anyDelay(dice, landmarks) };
    case 'slow':
      return { kind, delay: exactly(dice.between(50, 5_000)) };
    default:
      return { kind };
  }
}

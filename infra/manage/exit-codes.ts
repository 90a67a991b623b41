/** What the program ends with. Scripts depend on it: a number keeps its meaning. */
export const exitCodes = {
  done: 0,
  /** What has no number of its own. */
  failed: 1,
  /** An unknown command or option, a missing argument, a value that is refused. */
  usage: 2,
  notFound: 3,
  /** A missing or invalid key or secret, or one that lacks the scope. */
  denied: 4,
  /** Somebody changed it meanwhile, or its state forbids the request. */
  conflict: 5,
  /** Nothing answers, or not now: the same command may succeed later. */
  unavailable: 6,
  /** What was asked about is not as it should be: `doctor`, `identity status`, refused rows of `suppressions import`. */
  needsAttention: 7,
  /** 128 and the number of the signal, as shells have it. */
  interrupted: 130,
} as const;
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

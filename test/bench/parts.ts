type Part = { stop(): Promise<void> };

/** Has a part stopped with the others, and answers it. */
export type Keep = <Kept extends Part>(part: Kept) => Kept;

/** Runs what needs processes and servers of its own; they stop when it ends, however, the last one first. */
export async function withParts<Result>(run: (keep: Keep) => Promise<Result>): Promise<Result> {
  const parts: Part[] = [];
  try {
    return await run((part) => {
      parts.push(part);
      return part;
    });
  } finally {
    for (const part of parts.reverse()) await part.stop();
  }
}

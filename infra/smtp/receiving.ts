import type { SMTPServerDataStream } from 'smtp-server';

/** The longest that a message may take, at any speed. */
const receiveMs = 300_000;
/** An incomplete message must grow by `leastBytesPerWindow` in each window. */
export const windowMs = 30_000;
export const leastBytesPerWindow = 15_000;

/** Why a message is incomplete. */
export type Incomplete = 'broke_off' | 'too_slow' | 'too_large' | 'too_much_at_once';

/**
 * Reads any number of messages at once, so a slow client doesn't delay others. Their memory is bounded: beyond
 * `maxBytes` in total, a message above its equal share is refused.
 *
 * @returns a function that reads a message and handles it.
 */
export function createReceiver(maxBytes: number) {
  const held = new Set<Held>();
  const isTooMuch = (bytes: number): boolean => {
    const all = [...held].reduce((sum, one) => sum + one.bytes, 0);
    return all > maxBytes && bytes > maxBytes / held.size;
  };
  return async <Result>(
    stream: SMTPServerDataStream,
    handle: (raw: Buffer | Incomplete) => Promise<Result>,
  ): Promise<Result> => {
    const mine: Held = { bytes: 0 };
    held.add(mine);
    try {
      const takeMemory = (length: number): boolean => {
        mine.bytes += length;
        return !isTooMuch(mine.bytes);
      };
      return await handle(await receive(stream, takeMemory));
    } finally {
      held.delete(mine);
    }
  };
}

type Held = { bytes: number };

function receive(
  stream: SMTPServerDataStream,
  takeMemory: (length: number) => boolean,
): Promise<Buffer | Incomplete> {
  const { promise, resolve } = Promise.withResolvers<Buffer | Incomplete>();
  let chunks: Buffer[] | undefined = [];
  // The client may keep sending, but nothing more is kept.
  const giveUp = (why: Incomplete) => {
    chunks = undefined;
    resolve(why);
    if (why === 'too_slow') stream.destroy();
  };
  const deadline = setTimeout(() => giveUp('too_slow'), receiveMs);
  let before = 0;
  const pace = setInterval(() => {
    const isTooSlow = stream.byteLength - before < leastBytesPerWindow;
    before = stream.byteLength;
    if (isTooSlow) giveUp('too_slow');
  }, windowMs);
  stream.on('data', (chunk: Buffer) => {
    if (chunks === undefined) return;
    if (stream.sizeExceeded) return giveUp('too_large');
    chunks.push(chunk);
    if (!takeMemory(chunk.length)) giveUp('too_much_at_once');
  });
  stream.once('end', () =>
    stream.sizeExceeded ? giveUp('too_large') : resolve(Buffer.concat(chunks ?? [])),
  );
  stream.once('error', () => giveUp('broke_off'));
  stream.once('close', () => giveUp('broke_off'));
  if (stream.destroyed) giveUp('broke_off');
  return promise.finally(() => {
    clearTimeout(deadline);
    clearInterval(pace);
  });
}

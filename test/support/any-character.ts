import fc from 'fast-check';

/** Where the surrogates begin, and how many there are: no character stands there. */
const surrogates = 0xd800;
const surrogateCount = 0x800;

/**
 * Any character of Unicode, as a unit of `fc.string`. fast-check's own `binary` first makes a map of all the
 * million, in each worker.
 */
export const anyCharacter = fc.integer({ min: 0, max: 0x10ffff - surrogateCount }).map(
  (index) => String.fromCodePoint(index < surrogates ? index : index + surrogateCount),
  (text) => {
    const code = typeof text === 'string' ? text.codePointAt(0) : undefined;
    const isOne = code !== undefined && String.fromCodePoint(code) === text;
    if (!isOne || !String(text).isWellFormed()) throw new Error('Not one character');
    return code < surrogates ? code : code - surrogateCount;
  },
);

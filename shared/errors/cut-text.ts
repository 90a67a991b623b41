/** Never in the middle of a character beyond U+FFFF: half of it can't be stored, nor shown. */
export const cutText = (text: string, most: number): string =>
  text.slice(0, most).replace(/\p{Surrogate}$/u, '');

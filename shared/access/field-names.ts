/** No address, number or sentence looks like this. */
const fieldName = /^[A-Za-z_][A-Za-z0-9_-]{0,39}$/;

export const looksLikeName = (text: string): boolean => fieldName.test(text);

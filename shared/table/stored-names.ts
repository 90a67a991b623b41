/** The SDK takes a field of this name for the object's class, and can't store the object. */
export const notStored = 'constructor';

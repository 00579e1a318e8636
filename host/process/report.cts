/** Prints one line of progress for the user. */
export type Report = (text: string) => void;

/** Tells a person in one line what is going on. */
export type Report = (text: string) => void;

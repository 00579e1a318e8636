export interface Credential {
	id: string;
	name: string;
	type: string;
	data: Record<string, unknown>;
}

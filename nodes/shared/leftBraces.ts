import type { IExecuteFunctions } from 'n8n-workflow';
import { aroundBrace } from '../../core/recipients/placeholders';
import { addHint } from '../../core/engine/hints';

/** Counts texts that still contain braces after the placeholders were filled. They are sent unchanged, with a hint. */
export class LeftBraces {
	private count = 0;

	private example = '';

	constructor(private readonly format: 'json' | 'text' = 'text') {}

	add(text: string): void {
		if (this.count++ === 0) this.example = aroundBrace(text);
	}

	addAll({ count, example }: LeftBraces): void {
		if (this.count === 0) this.example = example;
		this.count += count;
	}

	/** Shows one hint per run, because one per text would hide all others. */
	tell(context: IExecuteFunctions): void {
		const { count, example, format } = this;
		if (count === 0) return;
		addHint(
			context,
			format === 'json'
				? `${count === 1 ? '1 message contains' : `${count} messages contain`} braces in JSON content, for example "${example}". JSON is sent unchanged, because placeholders work only in 'Text'. To insert a value, use an expression.`
				: `${count === 1 ? '1 text still contains' : `${count} texts still contain`} braces after the placeholders were filled, for example "${example}". They stay in the text. If you want them there, write \\{ to hide this hint.`,
		);
	}
}

BEGIN TRANSACTION;
CREATE TABLE damier_schema (
	version INTEGER NOT NULL, 
	PRIMARY KEY (version)
);
INSERT INTO "damier_schema" VALUES(1);
CREATE TABLE events (
	id INTEGER NOT NULL, 
	run TEXT NOT NULL, 
	kind TEXT NOT NULL, 
	game TEXT NOT NULL, 
	settings JSON NOT NULL, 
	started DATETIME NOT NULL, 
	PRIMARY KEY (id), 
	UNIQUE (run)
);
INSERT INTO "events" VALUES(1,'e6e04c62e8074cb29a07e6d0b74b6e40','match','loa5','{"game": "loa5", "first": "engine:nodes=20", "second": "random", "control": {"base": null, "increment": 0.0, "moves": null, "time": null, "nodes": null, "depth": null}, "openings": "random:6", "adjudication": {"resign": null, "resign_moves": 4, "draw": null, "draw_moves": 8, "draw_from": 40}, "seed": 2}','2026-11-16 08:59:04.085157');
CREATE TABLE games (
	id INTEGER NOT NULL, 
	event_id INTEGER NOT NULL, 
	pair TEXT NOT NULL, 
	half INTEGER NOT NULL, 
	round TEXT NOT NULL, 
	white_id INTEGER NOT NULL, 
	black_id INTEGER NOT NULL, 
	game TEXT NOT NULL, 
	fen TEXT, 
	opening TEXT NOT NULL, 
	opening_plies INTEGER NOT NULL, 
	result TEXT NOT NULL, 
	ending TEXT NOT NULL, 
	note TEXT NOT NULL, 
	plies INTEGER NOT NULL, 
	moves TEXT NOT NULL, 
	turns JSON NOT NULL, 
	PRIMARY KEY (id), 
	UNIQUE (event_id, pair, half), 
	FOREIGN KEY(event_id) REFERENCES events (id), 
	FOREIGN KEY(white_id) REFERENCES players (id), 
	FOREIGN KEY(black_id) REFERENCES players (id)
);
INSERT INTO "games" VALUES(1,1,'0',1,'1.1',1,2,'loa5',NULL,'random 1',6,'1-0','connection','',12,'d5-d3 a3xc1 b1xe4 a4-c4 e4-d5 c1-b2 d5-a5 a2-d2 b5-a4 b2-b3 d1-e1 e2-c2','[[null, 0, 0, 4.8e-05], [31, 1, 20, 9.3e-05], [null, 0, 0, 1e-05], [63, 0, 20, 4.3e-05], [null, 0, 0, 8e-06], [31999, 1, 20, 2.7e-05]]');
INSERT INTO "games" VALUES(2,1,'0',2,'1.2',2,1,'loa5',NULL,'random 1',6,'1-0','connection','',22,'d5-d3 a3xc1 b1xe4 a4-c4 e4-d5 c1-b2 d1-c1 b2-a1 d3-b3 e3-c3 b5-e5 e2-d1 b3-b4 c4-b5 b4-c4 b5-b4 e5-e4 d1-c2 e4xb4 c3-d3 c1xa1 d3-b1','[[7, 0, 20, 3.6e-05], [null, 0, 0, 1.3e-05], [24, 0, 20, 2.1e-05], [null, 0, 0, 7e-06], [-2, 0, 20, 2e-05], [null, 0, 0, 7e-06], [-37, 0, 20, 1.8e-05], [null, 0, 0, 7e-06], [31, 1, 20, 2.3e-05], [null, 0, 0, 9e-06], [27, 1, 20, 1.9e-05], [null, 0, 0, 6e-06], [22, 0, 20, 2.8e-05], [null, 0, 0, 6e-06], [47, 0, 20, 2.3e-05], [null, 0, 0, 6e-06]]');
CREATE TABLE players (
	id INTEGER NOT NULL, 
	name TEXT NOT NULL, 
	spec TEXT NOT NULL, 
	PRIMARY KEY (id), 
	UNIQUE (name, spec)
);
INSERT INTO "players" VALUES(1,'engine:nodes=20','engine:nodes=20');
INSERT INTO "players" VALUES(2,'random','random');
CREATE INDEX games_game_result ON games (game, result);
CREATE INDEX games_black ON games (black_id);
CREATE INDEX games_white ON games (white_id);
COMMIT;

BEGIN TRANSACTION;
CREATE TABLE alembic_version (
	version_num VARCHAR(32) NOT NULL, 
	CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);
INSERT INTO "alembic_version" VALUES('0006');
CREATE TABLE attempts (
	step_id INTEGER NOT NULL, 
	player_id INTEGER NOT NULL, 
	question_id INTEGER NOT NULL, 
	answer TEXT NOT NULL, 
	language TEXT NOT NULL, 
	pressed_at BIGINT NOT NULL, 
	received_at BIGINT NOT NULL, 
	date TEXT NOT NULL, 
	counts TEXT, 
	practice TEXT, 
	CONSTRAINT pk_attempts PRIMARY KEY (step_id, player_id), 
	CONSTRAINT fk_attempts_player_id FOREIGN KEY(player_id) REFERENCES players (id), 
	CONSTRAINT fk_attempts_question_id FOREIGN KEY(question_id) REFERENCES questions (id), 
	CONSTRAINT fk_attempts_step_id FOREIGN KEY(step_id) REFERENCES steps (id)
)
 WITHOUT ROWID

;
INSERT INTO "attempts" VALUES(1,1,1,'{"options": ["b"]}','en',1796029200000000,1796029200000000,'2026-11-30','2026-W49',NULL);
INSERT INTO "attempts" VALUES(1,2,1,'{"options": ["c"]}','en',1796029200000000,1796029200000000,'2026-11-30','2026-W49',NULL);
INSERT INTO "attempts" VALUES(2,2,2,'{"options": ["b"]}','fr',1796029260000000,1796029260000000,'2026-11-30',NULL,'solo');
INSERT INTO "attempts" VALUES(5,1,1,'{"options": ["b"]}','en',1796029260000000,1796029260000000,'2026-11-30',NULL,'again');
INSERT INTO "attempts" VALUES(6,2,3,'{"options": ["b"]}','en',1796029315000000,1796029315000000,'2026-11-30','2026-W49',NULL);
INSERT INTO "attempts" VALUES(8,3,4,'{"options": ["a"]}','en',1790683201000000,1790683201000000,'2026-09-29','2026-W40',NULL);
INSERT INTO "attempts" VALUES(8,4,4,'{"options": ["b"]}','en',1790683201000000,1790683201000000,'2026-09-29','2026-W40',NULL);
INSERT INTO "attempts" VALUES(9,3,4,'{"options": ["b"]}','en',1790856001000000,1790856001000000,'2026-10-01',NULL,'again');
INSERT INTO "attempts" VALUES(9,5,4,'{"options": ["a"]}','en',1790856001000000,1790856001000000,'2026-10-01','2026-W40',NULL);
INSERT INTO "attempts" VALUES(10,3,5,'{"options": ["a"]}','en',1793620801000000,1793620801000000,'2026-11-02','also:2026-11-02:1',NULL);
INSERT INTO "attempts" VALUES(10,4,5,'{"options": ["a"]}','en',1793620801000000,1793620801000000,'2026-11-02','also:2026-11-02:1',NULL);
INSERT INTO "attempts" VALUES(11,3,5,'{"options": ["a"]}','en',1793620801000000,1793620801000000,'2026-11-02','day:2026-11-02',NULL);
INSERT INTO "attempts" VALUES(11,4,5,'{"options": ["a"]}','en',1793620801000000,1793620801000000,'2026-11-02','day:2026-11-02',NULL);
INSERT INTO "attempts" VALUES(12,4,6,'{"options": ["a"]}','en',1793707201000000,1793707201000000,'2026-11-03','day:2026-11-03',NULL);
INSERT INTO "attempts" VALUES(13,3,5,'{"options": ["a"]}','en',1795262401000000,1795262401000000,'2026-11-21','2026-W47',NULL);
INSERT INTO "attempts" VALUES(14,3,4,'{"options": ["a"]}','en',1795435201000000,1795435201000000,'2026-11-23','2026-W48',NULL);
INSERT INTO "attempts" VALUES(14,5,4,'{"options": ["b"]}','en',1795435201000000,1795435201000000,'2026-11-23','2026-W48',NULL);
CREATE TABLE away (
	player_id INTEGER NOT NULL, 
	starts TEXT NOT NULL, 
	ends TEXT NOT NULL, 
	CONSTRAINT pk_away PRIMARY KEY (player_id, starts), 
	CONSTRAINT fk_away_player_id FOREIGN KEY(player_id) REFERENCES players (id)
);
INSERT INTO "away" VALUES(3,'2026-12-01','2026-12-05');
CREATE TABLE banks (
	id INTEGER NOT NULL, 
	owner TEXT DEFAULT '' NOT NULL, 
	bank_id TEXT NOT NULL, 
	CONSTRAINT pk_banks PRIMARY KEY (id), 
	CONSTRAINT uq_banks_owner_bank_id UNIQUE (owner, bank_id)
);
INSERT INTO "banks" VALUES(1,'','ports');
INSERT INTO "banks" VALUES(2,'','b1');
INSERT INTO "banks" VALUES(3,'','b2');
CREATE TABLE boards (
	id INTEGER NOT NULL, 
	community_id INTEGER NOT NULL, 
	place_id INTEGER NOT NULL, 
	topic TEXT DEFAULT '' NOT NULL, 
	period TEXT NOT NULL, 
	starts TEXT NOT NULL, 
	CONSTRAINT pk_boards PRIMARY KEY (id), 
	CONSTRAINT fk_boards_community_id FOREIGN KEY(community_id) REFERENCES communities (id), 
	CONSTRAINT uq_boards_community_id_place_id_topic_period_starts UNIQUE (community_id, place_id, topic, period, starts)
);
INSERT INTO "boards" VALUES(1,1,0,'','week','2026-11-30');
INSERT INTO "boards" VALUES(2,1,0,'','month','2026-11-01');
INSERT INTO "boards" VALUES(3,1,0,'','season','2026-10-01');
INSERT INTO "boards" VALUES(4,1,0,'','all','');
INSERT INTO "boards" VALUES(5,1,1,'','week','2026-11-30');
INSERT INTO "boards" VALUES(6,1,1,'','month','2026-11-01');
INSERT INTO "boards" VALUES(7,1,1,'','season','2026-10-01');
INSERT INTO "boards" VALUES(8,1,1,'','all','');
INSERT INTO "boards" VALUES(9,1,0,'','today','2026-11-30');
INSERT INTO "boards" VALUES(10,1,0,'ports','all','');
INSERT INTO "boards" VALUES(11,1,0,'ports','month','2026-11-01');
INSERT INTO "boards" VALUES(12,1,1,'','today','2026-11-30');
INSERT INTO "boards" VALUES(13,1,1,'ports','all','');
INSERT INTO "boards" VALUES(14,1,1,'ports','month','2026-11-01');
INSERT INTO "boards" VALUES(15,2,0,'','today','2026-09-29');
INSERT INTO "boards" VALUES(16,2,0,'','week','2026-09-28');
INSERT INTO "boards" VALUES(17,2,0,'','month','2026-09-01');
INSERT INTO "boards" VALUES(18,2,0,'','season','2026-07-01');
INSERT INTO "boards" VALUES(19,2,0,'','all','');
INSERT INTO "boards" VALUES(20,2,0,'b1','month','2026-09-01');
INSERT INTO "boards" VALUES(21,2,0,'b1','all','');
INSERT INTO "boards" VALUES(22,2,2,'','today','2026-09-29');
INSERT INTO "boards" VALUES(23,2,2,'','week','2026-09-28');
INSERT INTO "boards" VALUES(24,2,2,'','month','2026-09-01');
INSERT INTO "boards" VALUES(25,2,2,'','season','2026-07-01');
INSERT INTO "boards" VALUES(26,2,2,'','all','');
INSERT INTO "boards" VALUES(27,2,2,'b1','month','2026-09-01');
INSERT INTO "boards" VALUES(28,2,2,'b1','all','');
INSERT INTO "boards" VALUES(29,2,0,'','today','2026-10-01');
INSERT INTO "boards" VALUES(30,2,0,'','month','2026-10-01');
INSERT INTO "boards" VALUES(31,2,0,'','season','2026-10-01');
INSERT INTO "boards" VALUES(32,2,0,'b1','month','2026-10-01');
INSERT INTO "boards" VALUES(33,2,3,'','today','2026-10-01');
INSERT INTO "boards" VALUES(34,2,3,'','week','2026-09-28');
INSERT INTO "boards" VALUES(35,2,3,'','month','2026-10-01');
INSERT INTO "boards" VALUES(36,2,3,'','season','2026-10-01');
INSERT INTO "boards" VALUES(37,2,3,'','all','');
INSERT INTO "boards" VALUES(38,2,3,'b1','month','2026-10-01');
INSERT INTO "boards" VALUES(39,2,3,'b1','all','');
INSERT INTO "boards" VALUES(40,2,2,'','today','2026-11-02');
INSERT INTO "boards" VALUES(41,2,2,'','week','2026-11-02');
INSERT INTO "boards" VALUES(42,2,2,'','month','2026-11-01');
INSERT INTO "boards" VALUES(43,2,2,'','season','2026-10-01');
INSERT INTO "boards" VALUES(44,2,2,'b2','month','2026-11-01');
INSERT INTO "boards" VALUES(45,2,2,'b2','all','');
INSERT INTO "boards" VALUES(46,2,0,'','today','2026-11-02');
INSERT INTO "boards" VALUES(47,2,0,'','week','2026-11-02');
INSERT INTO "boards" VALUES(48,2,0,'','month','2026-11-01');
INSERT INTO "boards" VALUES(49,2,0,'b2','month','2026-11-01');
INSERT INTO "boards" VALUES(50,2,0,'b2','all','');
INSERT INTO "boards" VALUES(51,2,3,'','today','2026-11-02');
INSERT INTO "boards" VALUES(52,2,3,'','week','2026-11-02');
INSERT INTO "boards" VALUES(53,2,3,'','month','2026-11-01');
INSERT INTO "boards" VALUES(54,2,3,'b2','month','2026-11-01');
INSERT INTO "boards" VALUES(55,2,3,'b2','all','');
INSERT INTO "boards" VALUES(56,2,0,'','today','2026-11-03');
INSERT INTO "boards" VALUES(57,2,0,'b1','month','2026-11-01');
INSERT INTO "boards" VALUES(58,2,2,'','today','2026-11-03');
INSERT INTO "boards" VALUES(59,2,2,'b1','month','2026-11-01');
INSERT INTO "boards" VALUES(60,2,0,'','today','2026-11-21');
INSERT INTO "boards" VALUES(61,2,0,'','week','2026-11-16');
INSERT INTO "boards" VALUES(62,2,2,'','today','2026-11-21');
INSERT INTO "boards" VALUES(63,2,2,'','week','2026-11-16');
INSERT INTO "boards" VALUES(64,2,0,'','season','2026-11-20');
INSERT INTO "boards" VALUES(65,2,2,'','season','2026-11-20');
INSERT INTO "boards" VALUES(66,2,0,'','today','2026-11-23');
INSERT INTO "boards" VALUES(67,2,0,'','week','2026-11-23');
INSERT INTO "boards" VALUES(68,2,2,'','today','2026-11-23');
INSERT INTO "boards" VALUES(69,2,2,'','week','2026-11-23');
CREATE TABLE communities (
	id INTEGER NOT NULL, 
	platform TEXT NOT NULL, 
	external_id TEXT NOT NULL, 
	name TEXT DEFAULT '' NOT NULL, 
	personal BOOLEAN NOT NULL, 
	zone TEXT, 
	language TEXT, 
	names TEXT DEFAULT 'shown' NOT NULL, 
	organisers TEXT DEFAULT '[]' NOT NULL, 
	starters TEXT DEFAULT 'everyone' NOT NULL, 
	start_places TEXT DEFAULT '[]' NOT NULL, 
	threads BOOLEAN DEFAULT false NOT NULL, 
	organisers_place TEXT, 
	welcomed_at BIGINT, 
	created_at BIGINT NOT NULL, 
	removed_at BIGINT, leaders BOOLEAN DEFAULT true NOT NULL, seasons TEXT DEFAULT '[]' NOT NULL, 
	CONSTRAINT pk_communities PRIMARY KEY (id), 
	CONSTRAINT uq_communities_platform_external_id UNIQUE (platform, external_id)
);
INSERT INTO "communities" VALUES(1,'bare','group','Study group',0,'Africa/Harare',NULL,'shown','[]','everyone','[]',0,NULL,NULL,1796029200000000,NULL,0,'[]');
INSERT INTO "communities" VALUES(2,'local','other','The other',0,NULL,NULL,'shown','[]','everyone','[]',0,NULL,NULL,1796040000000000,NULL,1,'["2026-11-20"]');
CREATE TABLE heartbeats (
	name TEXT NOT NULL, 
	at BIGINT NOT NULL, 
	CONSTRAINT pk_heartbeats PRIMARY KEY (name)
);
INSERT INTO "heartbeats" VALUES('scheduler',1796029315000000);
CREATE TABLE installations (
	id INTEGER NOT NULL, 
	platform TEXT NOT NULL, 
	enterprise_id TEXT DEFAULT '' NOT NULL, 
	team_id TEXT DEFAULT '' NOT NULL, 
	user_id TEXT DEFAULT '' NOT NULL, 
	is_enterprise_install BOOLEAN DEFAULT false NOT NULL, 
	data TEXT NOT NULL, 
	installed_at BIGINT NOT NULL, 
	bot_token_expires_at BIGINT, 
	refresh_by TEXT, 
	refresh_until BIGINT, 
	revoked_at BIGINT, 
	CONSTRAINT pk_installations PRIMARY KEY (id), 
	CONSTRAINT uq_installations_platform_enterprise_id_team_id_user_id UNIQUE (platform, enterprise_id, team_id, user_id)
);
INSERT INTO "installations" VALUES(1,'slack','','T1','',0,'sealed',1796029200000000,1796072400000000,NULL,NULL,NULL);
INSERT INTO "installations" VALUES(2,'slack','','T1','U1',0,'sealed',1796029200000000,NULL,NULL,NULL,1796029201000000);
CREATE TABLE marks (
	step_id INTEGER NOT NULL, 
	player_id INTEGER NOT NULL, 
	version_id INTEGER NOT NULL, 
	is_right BOOLEAN NOT NULL, 
	points INTEGER NOT NULL, 
	CONSTRAINT pk_marks PRIMARY KEY (step_id, player_id), 
	CONSTRAINT fk_marks_player_id FOREIGN KEY(player_id) REFERENCES players (id), 
	CONSTRAINT fk_marks_step_id FOREIGN KEY(step_id) REFERENCES steps (id), 
	CONSTRAINT fk_marks_version_id FOREIGN KEY(version_id) REFERENCES question_versions (id)
)
 WITHOUT ROWID

;
INSERT INTO "marks" VALUES(1,1,1,1,10);
INSERT INTO "marks" VALUES(1,2,1,0,0);
INSERT INTO "marks" VALUES(2,2,2,1,0);
INSERT INTO "marks" VALUES(5,1,1,1,0);
INSERT INTO "marks" VALUES(6,2,3,0,0);
INSERT INTO "marks" VALUES(8,3,4,1,10);
INSERT INTO "marks" VALUES(8,4,4,0,0);
INSERT INTO "marks" VALUES(9,3,4,0,0);
INSERT INTO "marks" VALUES(9,5,4,1,10);
INSERT INTO "marks" VALUES(10,3,5,1,10);
INSERT INTO "marks" VALUES(10,4,5,1,10);
INSERT INTO "marks" VALUES(11,3,5,1,10);
INSERT INTO "marks" VALUES(11,4,5,1,10);
INSERT INTO "marks" VALUES(12,4,6,1,10);
INSERT INTO "marks" VALUES(13,3,5,1,10);
INSERT INTO "marks" VALUES(14,3,4,1,10);
INSERT INTO "marks" VALUES(14,5,4,0,0);
CREATE TABLE notices (
	id INTEGER NOT NULL, 
	community_id INTEGER NOT NULL, 
	kind TEXT NOT NULL, 
	matter TEXT NOT NULL, 
	args TEXT DEFAULT '{}' NOT NULL, 
	outbox_id INTEGER, 
	created_at BIGINT NOT NULL, 
	told_at BIGINT, 
	CONSTRAINT pk_notices PRIMARY KEY (id), 
	CONSTRAINT fk_notices_community_id FOREIGN KEY(community_id) REFERENCES communities (id), 
	CONSTRAINT fk_notices_outbox_id FOREIGN KEY(outbox_id) REFERENCES outbox (id), 
	CONSTRAINT uq_notices_community_id_kind_matter UNIQUE (community_id, kind, matter)
);
INSERT INTO "notices" VALUES(1,2,'missed','2026-11-04','{}',NULL,1796040000000000,1796040000000000);
CREATE TABLE oauth_states (
	state TEXT NOT NULL, 
	expires_at BIGINT NOT NULL, 
	CONSTRAINT pk_oauth_states PRIMARY KEY (state)
);
INSERT INTO "oauth_states" VALUES('state',1796029800000000);
CREATE TABLE occurrences (
	id INTEGER NOT NULL, 
	schedule_id INTEGER NOT NULL, 
	date TEXT NOT NULL, 
	round_id INTEGER, 
	state TEXT NOT NULL, 
	again TEXT DEFAULT '[]' NOT NULL, 
	posts_at BIGINT NOT NULL, 
	closes_at BIGINT, 
	extended_at BIGINT, 
	created_at BIGINT NOT NULL, 
	CONSTRAINT pk_occurrences PRIMARY KEY (id), 
	CONSTRAINT fk_occurrences_schedule_id FOREIGN KEY(schedule_id) REFERENCES schedules (id), 
	CONSTRAINT fk_occurrences_round_id FOREIGN KEY(round_id) REFERENCES rounds (id), 
	CONSTRAINT uq_occurrences_schedule_id_date UNIQUE (schedule_id, date), 
	CONSTRAINT uq_occurrences_round_id UNIQUE (round_id)
);
INSERT INTO "occurrences" VALUES(1,1,'2026-11-02',6,'asked','[]',1796040000000000,NULL,NULL,1796040000000000);
INSERT INTO "occurrences" VALUES(2,2,'2026-11-02',7,'asked','[]',1796040000000000,NULL,NULL,1796040000000000);
INSERT INTO "occurrences" VALUES(3,3,'2026-11-03',8,'asked','[]',1796040000000000,NULL,NULL,1796040000000000);
CREATE TABLE outbox (
	id INTEGER NOT NULL, 
	op TEXT NOT NULL, 
	kind TEXT NOT NULL, 
	platform TEXT NOT NULL, 
	community_id INTEGER NOT NULL, 
	place_id INTEGER NOT NULL, 
	person_id INTEGER, 
	round_id INTEGER, 
	step_id INTEGER, 
	edits INTEGER, 
	args TEXT DEFAULT '{}' NOT NULL, 
	silent BOOLEAN DEFAULT true NOT NULL, 
	due_at BIGINT NOT NULL, 
	state TEXT NOT NULL, 
	claimed_by TEXT, 
	claimed_at BIGINT, 
	tries INTEGER DEFAULT '0' NOT NULL, 
	nonce TEXT NOT NULL, 
	message_id TEXT, 
	posted_at BIGINT, 
	reason TEXT, 
	CONSTRAINT pk_outbox PRIMARY KEY (id), 
	CONSTRAINT fk_outbox_community_id FOREIGN KEY(community_id) REFERENCES communities (id), 
	CONSTRAINT fk_outbox_edits FOREIGN KEY(edits) REFERENCES outbox (id), 
	CONSTRAINT fk_outbox_person_id FOREIGN KEY(person_id) REFERENCES persons (id), 
	CONSTRAINT fk_outbox_place_id FOREIGN KEY(place_id) REFERENCES places (id), 
	CONSTRAINT fk_outbox_round_id FOREIGN KEY(round_id) REFERENCES rounds (id), 
	CONSTRAINT fk_outbox_step_id FOREIGN KEY(step_id) REFERENCES steps (id)
);
INSERT INTO "outbox" VALUES(1,'post','question','bare',1,1,NULL,1,1,NULL,'{}',1,1796029200000000,'sent','test',1796029200000000,1,'d96e5adfa2beee31ac8be7d7','d96e5adfa2beee31ac8be7d7',1796029200000000,NULL);
INSERT INTO "outbox" VALUES(2,'edit','question','bare',1,1,NULL,1,1,1,'{}',1,1796029247000000,'sent','test',1796029247000000,1,'df43efb219fcfc64e7aa8576','d96e5adfa2beee31ac8be7d7',1796029247000000,NULL);
INSERT INTO "outbox" VALUES(3,'post','result','bare',1,1,NULL,1,NULL,NULL,'{}',1,1796029247000000,'sent','test',1796029247000000,1,'e7ca430e92ac3d4253d23c0b','e7ca430e92ac3d4253d23c0b',1796029247000000,NULL);
INSERT INTO "outbox" VALUES(4,'post','board','bare',1,1,NULL,NULL,NULL,NULL,'{"language": "en", "view": {"scope": "place", "period": "month", "day": "2026-11-30", "place_name": "room", "names_shown": true, "page": {"asked": 1, "ranks": [{"rank": 1, "points": 10, "named": [{"player_id": 1, "name": "Ana", "answered": 1}], "more": 0}], "below": null}, "share": {"players": 2, "answered": 2, "right": 1}, "week": {"players": 2, "answered": 2, "right": 1}, "week_before": {"players": 0, "answered": 0, "right": 0}}}',1,1796029260000000,'sent','test',1796029260000000,1,'51209e8f332726d0356a4152','51209e8f332726d0356a4152',1796029260000000,NULL);
INSERT INTO "outbox" VALUES(5,'post','question','bare',1,1,NULL,3,5,NULL,'{}',1,1796029260000000,'sent','test',1796029260000000,1,'1570bc621832c9e233aa3918','1570bc621832c9e233aa3918',1796029260000000,NULL);
INSERT INTO "outbox" VALUES(6,'edit','question','bare',1,1,NULL,3,5,5,'{}',1,1796029307000000,'sent','test',1796029307000000,1,'b1852ac840e0529930b9f609','1570bc621832c9e233aa3918',1796029307000000,NULL);
INSERT INTO "outbox" VALUES(7,'edit','question','bare',1,1,NULL,3,5,5,'{}',1,1796029315000000,'sent','test',1796029315000000,1,'4e18a3634891a61bc3b1b366','1570bc621832c9e233aa3918',1796029315000000,NULL);
INSERT INTO "outbox" VALUES(8,'post','question','bare',1,1,NULL,3,6,NULL,'{}',1,1796029315000000,'sent','test',1796029315000000,1,'29d144e441bc858eb0b4362e','29d144e441bc858eb0b4362e',1796029315000000,NULL);
INSERT INTO "outbox" VALUES(9,'post','standing','local',2,2,NULL,NULL,NULL,NULL,'{}',1,1796040000000000,'sent',NULL,NULL,0,'stands','m-stands',1796040000000000,NULL);
CREATE TABLE persons (
	id INTEGER NOT NULL, 
	platform TEXT NOT NULL, 
	external_id TEXT NOT NULL, 
	name TEXT NOT NULL, 
	language TEXT, 
	hidden BOOLEAN DEFAULT false NOT NULL, 
	introduced_at BIGINT, 
	created_at BIGINT NOT NULL, locale TEXT, 
	CONSTRAINT pk_persons PRIMARY KEY (id), 
	CONSTRAINT uq_persons_platform_external_id UNIQUE (platform, external_id)
);
INSERT INTO "persons" VALUES(1,'bare','Ana','Ana',NULL,0,1796029200000000,1796029200000000,NULL);
INSERT INTO "persons" VALUES(2,'bare','Ben','Ben','fr',0,1796029200000000,1796029200000000,NULL);
INSERT INTO "persons" VALUES(3,'local','cho','Cho',NULL,0,NULL,1790683201000000,'fr');
INSERT INTO "persons" VALUES(4,'local','dee','Dee',NULL,0,NULL,1790683201000000,NULL);
INSERT INTO "persons" VALUES(5,'local','eve','Eve',NULL,1,NULL,1790856001000000,NULL);
CREATE TABLE places (
	id INTEGER NOT NULL, 
	community_id INTEGER NOT NULL, 
	external_id TEXT NOT NULL, 
	name TEXT DEFAULT '' NOT NULL, 
	kind TEXT NOT NULL, brought_by TEXT, 
	CONSTRAINT pk_places PRIMARY KEY (id), 
	CONSTRAINT fk_places_community_id FOREIGN KEY(community_id) REFERENCES communities (id), 
	CONSTRAINT uq_places_community_id_external_id UNIQUE (community_id, external_id)
);
INSERT INTO "places" VALUES(1,1,'room','room','channel','ana');
INSERT INTO "places" VALUES(2,2,'p1','p1','channel',NULL);
INSERT INTO "places" VALUES(3,2,'p2','p2','channel',NULL);
CREATE TABLE players (
	id INTEGER NOT NULL, 
	community_id INTEGER NOT NULL, 
	person_id INTEGER, 
	created_at BIGINT NOT NULL, freeze_told TEXT, 
	CONSTRAINT pk_players PRIMARY KEY (id), 
	CONSTRAINT fk_players_community_id FOREIGN KEY(community_id) REFERENCES communities (id), 
	CONSTRAINT fk_players_person_id FOREIGN KEY(person_id) REFERENCES persons (id), 
	CONSTRAINT uq_players_person_id_community_id UNIQUE (person_id, community_id)
);
INSERT INTO "players" VALUES(1,1,1,1796029200000000,NULL);
INSERT INTO "players" VALUES(2,1,2,1796029200000000,NULL);
INSERT INTO "players" VALUES(3,2,3,1790683201000000,'2026-11-03');
INSERT INTO "players" VALUES(4,2,4,1790683201000000,NULL);
INSERT INTO "players" VALUES(5,2,5,1790856001000000,NULL);
CREATE TABLE proposals (
	id INTEGER NOT NULL, 
	community_id INTEGER NOT NULL, 
	person_id INTEGER NOT NULL, 
	place_id INTEGER NOT NULL, 
	schedule_id INTEGER, 
	entered TEXT NOT NULL, 
	created_at BIGINT NOT NULL, 
	CONSTRAINT pk_proposals PRIMARY KEY (id), 
	CONSTRAINT fk_proposals_community_id FOREIGN KEY(community_id) REFERENCES communities (id), 
	CONSTRAINT fk_proposals_person_id FOREIGN KEY(person_id) REFERENCES persons (id), 
	CONSTRAINT fk_proposals_place_id FOREIGN KEY(place_id) REFERENCES places (id), 
	CONSTRAINT fk_proposals_schedule_id FOREIGN KEY(schedule_id) REFERENCES schedules (id), 
	CONSTRAINT uq_proposals_community_id_person_id UNIQUE (community_id, person_id)
);
INSERT INTO "proposals" VALUES(1,2,3,2,NULL,'{"at": "07:30"}',1796040000000000);
CREATE TABLE question_versions (
	id INTEGER NOT NULL, 
	question INTEGER NOT NULL, 
	fingerprint TEXT NOT NULL, 
	content TEXT NOT NULL, 
	created_at BIGINT NOT NULL, 
	CONSTRAINT pk_question_versions PRIMARY KEY (id), 
	CONSTRAINT fk_question_versions_question FOREIGN KEY(question) REFERENCES questions (id), 
	CONSTRAINT uq_question_versions_question_fingerprint UNIQUE (question, fingerprint)
);
INSERT INTO "question_versions" VALUES(1,1,'5e314719f4aecb9fb302c6ec887c4da702c28b7aa69866a95dbad7e3c6f03774','{"id":"dns","language":"en","keys":["a","b","c"],"correct":["b"],"texts":{"en":{"text":"On which port does a DNS server listen?","options":{"a":"25","b":"53","c":"110"},"explain":"53 is the registered port for DNS. 25 is that of mail.","why":{},"hint":null,"alt":null,"outdated":[]}},"kind":"choice","tags":[],"sources":[],"image":null}',1796029200000000);
INSERT INTO "question_versions" VALUES(2,2,'93a154d4ce02c9711724d7854c341ff16425bff44f595c05b69c6882b286f20a','{"id":"ssh","language":"en","keys":["a","b","c"],"correct":["b"],"texts":{"en":{"text":"On which port does an SSH server listen?","options":{"a":"21","b":"22","c":"2222"},"explain":"22 is the registered port for SSH. 21 is the control port of FTP.","why":{"c":"Often chosen by hand to hide the server."},"hint":"It is the second of three neighbours.","alt":null,"outdated":[]},"fr":{"text":"Sur quel port écoute un serveur SSH ?","options":{"a":"21","b":"22","c":"2222"},"explain":"Le port 22 est réservé à SSH. Le 21 sert au contrôle de FTP.","why":{"c":"Souvent choisi à la main pour cacher le serveur."},"hint":null,"alt":null,"outdated":[]}},"kind":"choice","tags":["shells"],"sources":[{"title":"RFC 4253","year":"2006","url":"https://www.rfc-editor.org/rfc/rfc4253"}],"image":null}',1796029260000000);
INSERT INTO "question_versions" VALUES(3,3,'44deb773c2ce5f49aebe522dfbde87af778abd55309a249b307d522720c108ad','{"id":"http","language":"en","keys":["a","b","c"],"correct":["a"],"texts":{"en":{"text":"On which port does an HTTP server listen?","options":{"a":"80","b":"443","c":"8080"},"explain":"80 is the registered port for HTTP. With TLS it is 443.","why":{},"hint":null,"alt":null,"outdated":[]},"fr":{"text":"Sur quel port écoute un serveur HTTP ?","options":{"a":"80","b":"443","c":"8080"},"explain":null,"why":{},"hint":null,"alt":null,"outdated":[]}},"kind":"choice","tags":[],"sources":[],"image":null}',1796029260000000);
INSERT INTO "question_versions" VALUES(4,4,'25093a4a78341dd8f43cdc6949d72c2d86a060f47cc25eeaa667619a521b1bf1','{"id":"q1","language":"en","keys":["a","b","c"],"correct":["a"],"texts":{"en":{"text":"What is q1?","options":{"a":"Option a","b":"Option b","c":"Option c"},"explain":null,"why":{},"hint":null,"alt":null,"outdated":[]}},"kind":"choice","tags":[],"sources":[],"image":null}',1796040000000000);
INSERT INTO "question_versions" VALUES(5,5,'fc446b13d4d233c15fef4deaf7c90c60326f2ae2152b8737b14e4d2843e5a7bb','{"id":"q2","language":"en","keys":["a","b","c"],"correct":["a"],"texts":{"en":{"text":"What is q2?","options":{"a":"Option a","b":"Option b","c":"Option c"},"explain":null,"why":{},"hint":null,"alt":null,"outdated":[]}},"kind":"choice","tags":[],"sources":[],"image":null}',1796040000000000);
INSERT INTO "question_versions" VALUES(6,6,'576530f61eac144660ea81efc7c88e7961676f7b4538f4ce163fc56896be0d97','{"id":"q3","language":"en","keys":["a","b","c"],"correct":["a"],"texts":{"en":{"text":"What is q3?","options":{"a":"Option a","b":"Option b","c":"Option c"},"explain":null,"why":{},"hint":null,"alt":null,"outdated":[]}},"kind":"choice","tags":[],"sources":[],"image":null}',1796040000000000);
CREATE TABLE questions (
	id INTEGER NOT NULL, 
	bank INTEGER NOT NULL, 
	question_id TEXT NOT NULL, 
	current_version INTEGER, 
	CONSTRAINT pk_questions PRIMARY KEY (id), 
	CONSTRAINT fk_questions_bank FOREIGN KEY(bank) REFERENCES banks (id), 
	CONSTRAINT uq_questions_bank_question_id UNIQUE (bank, question_id)
);
INSERT INTO "questions" VALUES(1,1,'dns',1);
INSERT INTO "questions" VALUES(2,1,'ssh',2);
INSERT INTO "questions" VALUES(3,1,'http',3);
INSERT INTO "questions" VALUES(4,2,'q1',4);
INSERT INTO "questions" VALUES(5,3,'q2',5);
INSERT INTO "questions" VALUES(6,2,'q3',6);
CREATE TABLE round_banks (
	round_id INTEGER NOT NULL, 
	bank INTEGER NOT NULL, 
	CONSTRAINT pk_round_banks PRIMARY KEY (round_id, bank), 
	CONSTRAINT fk_round_banks_bank FOREIGN KEY(bank) REFERENCES banks (id), 
	CONSTRAINT fk_round_banks_round_id FOREIGN KEY(round_id) REFERENCES rounds (id)
);
INSERT INTO "round_banks" VALUES(1,1);
INSERT INTO "round_banks" VALUES(2,1);
INSERT INTO "round_banks" VALUES(3,1);
CREATE TABLE rounds (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, 
	community_id INTEGER NOT NULL, 
	place_id INTEGER NOT NULL, 
	mode TEXT NOT NULL, 
	state TEXT NOT NULL, 
	starter_id INTEGER, 
	topic TEXT NOT NULL, 
	title TEXT NOT NULL, 
	language TEXT NOT NULL, 
	seconds INTEGER, 
	speed BOOLEAN DEFAULT false NOT NULL, 
	thread BOOLEAN DEFAULT false NOT NULL, 
	window_opens_at BIGINT, 
	window_closes_at BIGINT, 
	quiet_from INTEGER DEFAULT '1' NOT NULL, 
	started_at BIGINT NOT NULL, 
	paused_at BIGINT, 
	ended_at BIGINT, call_id TEXT, ended_why TEXT, ended_lacking TEXT DEFAULT '[]' NOT NULL, ended_told_at BIGINT, 
	CONSTRAINT fk_rounds_community_id FOREIGN KEY(community_id) REFERENCES communities (id), 
	CONSTRAINT fk_rounds_place_id FOREIGN KEY(place_id) REFERENCES places (id), 
	CONSTRAINT fk_rounds_starter_id FOREIGN KEY(starter_id) REFERENCES persons (id)
);
INSERT INTO "rounds" VALUES(1,1,1,'live','ended',1,'ports','{"en": "Ports", "fr": "Les ports"}','en',NULL,0,0,NULL,NULL,1,1796029200000000,NULL,1796029247000000,NULL,NULL,'[]',NULL);
INSERT INTO "rounds" VALUES(2,1,1,'solo','waiting',2,'ports','{"en": "Ports", "fr": "Les ports"}','',NULL,0,0,NULL,NULL,1,1796029260000000,NULL,NULL,NULL,NULL,'[]',NULL);
INSERT INTO "rounds" VALUES(3,1,1,'live','asking',1,'ports','{"en": "Ports", "fr": "Les ports"}','en',NULL,0,0,NULL,NULL,1,1796029260000000,NULL,NULL,NULL,NULL,'[]',NULL);
INSERT INTO "rounds" VALUES(4,2,2,'live','ended',NULL,'{}','{}','en',NULL,0,0,NULL,NULL,1,1796040000000000,NULL,1796040000000000,NULL,NULL,'[]',NULL);
INSERT INTO "rounds" VALUES(5,2,3,'live','ended',NULL,'{}','{}','en',NULL,0,0,NULL,NULL,1,1796040000000000,NULL,1796040000000000,NULL,NULL,'[]',NULL);
INSERT INTO "rounds" VALUES(6,2,2,'open','ended',NULL,'{}','{}','en',NULL,0,0,NULL,NULL,1,1796040000000000,NULL,1796040000000000,NULL,NULL,'[]',NULL);
INSERT INTO "rounds" VALUES(7,2,3,'open','ended',NULL,'{}','{}','en',NULL,0,0,NULL,NULL,1,1796040000000000,NULL,1796040000000000,NULL,NULL,'[]',NULL);
INSERT INTO "rounds" VALUES(8,2,2,'open','ended',NULL,'{}','{}','en',NULL,0,0,NULL,NULL,1,1796040000000000,NULL,1796040000000000,NULL,NULL,'[]',NULL);
INSERT INTO "rounds" VALUES(9,2,2,'live','ended',NULL,'{}','{}','en',NULL,0,0,NULL,NULL,1,1796040000000000,NULL,1796040000000000,NULL,NULL,'[]',NULL);
INSERT INTO "rounds" VALUES(10,2,2,'live','ended',NULL,'{}','{}','en',NULL,0,0,NULL,NULL,1,1796040000000000,NULL,1796040000000000,NULL,NULL,'[]',NULL);
CREATE TABLE schedule_skips (
	schedule_id INTEGER NOT NULL, 
	date TEXT NOT NULL, 
	CONSTRAINT pk_schedule_skips PRIMARY KEY (schedule_id, date), 
	CONSTRAINT fk_schedule_skips_schedule_id FOREIGN KEY(schedule_id) REFERENCES schedules (id)
);
INSERT INTO "schedule_skips" VALUES(1,'2026-11-05');
CREATE TABLE schedules (
	id INTEGER NOT NULL, 
	community_id INTEGER NOT NULL, 
	place_id INTEGER NOT NULL, 
	set_by INTEGER, 
	at TEXT NOT NULL, 
	zone TEXT NOT NULL, 
	weekdays TEXT NOT NULL, 
	days_off TEXT, 
	topics TEXT DEFAULT '[]' NOT NULL, 
	shuffled BOOLEAN NOT NULL, 
	seed TEXT NOT NULL, 
	count INTEGER NOT NULL, 
	languages TEXT DEFAULT '[]' NOT NULL, 
	open_minutes INTEGER, 
	mention TEXT, 
	paused_at BIGINT, 
	paused_until TEXT, 
	refusals INTEGER DEFAULT '0' NOT NULL, 
	next_date TEXT, 
	next_at BIGINT, 
	created_at BIGINT NOT NULL, 
	removed_at BIGINT, 
	CONSTRAINT pk_schedules PRIMARY KEY (id), 
	CONSTRAINT fk_schedules_community_id FOREIGN KEY(community_id) REFERENCES communities (id), 
	CONSTRAINT fk_schedules_place_id FOREIGN KEY(place_id) REFERENCES places (id), 
	CONSTRAINT fk_schedules_set_by FOREIGN KEY(set_by) REFERENCES persons (id)
);
INSERT INTO "schedules" VALUES(1,2,2,3,'12:00','UTC','[1, 2, 3, 4, 5, 6, 7]',NULL,'[]',1,'seed',1,'[]',NULL,NULL,1796040000000000,NULL,0,NULL,NULL,1796040000000000,NULL);
INSERT INTO "schedules" VALUES(2,2,3,3,'12:00','UTC','[1, 2, 3, 4, 5, 6, 7]',NULL,'[]',1,'seed',1,'[]',NULL,NULL,1796040000000000,NULL,0,NULL,NULL,1796040000000000,NULL);
INSERT INTO "schedules" VALUES(3,2,2,3,'12:00','UTC','[1, 2, 3, 4, 5, 6, 7]',NULL,'[]',1,'seed',1,'[]',NULL,NULL,1796040000000000,NULL,0,NULL,NULL,1796040000000000,NULL);
CREATE TABLE standing_boards (
	place_id INTEGER NOT NULL, 
	community_id INTEGER NOT NULL, 
	scope TEXT NOT NULL, 
	period TEXT NOT NULL, 
	topic TEXT DEFAULT '' NOT NULL, 
	language TEXT, 
	outbox_id INTEGER, 
	pinned BOOLEAN DEFAULT false NOT NULL, 
	dirty_at BIGINT, 
	edited_at BIGINT, 
	CONSTRAINT pk_standing_boards PRIMARY KEY (place_id), 
	CONSTRAINT fk_standing_boards_place_id FOREIGN KEY(place_id) REFERENCES places (id), 
	CONSTRAINT fk_standing_boards_community_id FOREIGN KEY(community_id) REFERENCES communities (id), 
	CONSTRAINT fk_standing_boards_outbox_id FOREIGN KEY(outbox_id) REFERENCES outbox (id)
);
INSERT INTO "standing_boards" VALUES(2,2,'community','season','',NULL,9,0,NULL,1796040000000000);
CREATE TABLE steps (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, 
	round_id INTEGER NOT NULL, 
	position INTEGER NOT NULL, 
	version_id INTEGER NOT NULL, 
	question_id INTEGER NOT NULL, 
	option_order TEXT NOT NULL, 
	seconds INTEGER, 
	date TEXT, 
	opened_at BIGINT, 
	opened_host_at BIGINT, 
	cutoff_at BIGINT, 
	more_time BOOLEAN DEFAULT false NOT NULL, 
	closed_at BIGINT, 
	CONSTRAINT fk_steps_question_id FOREIGN KEY(question_id) REFERENCES questions (id), 
	CONSTRAINT fk_steps_round_id FOREIGN KEY(round_id) REFERENCES rounds (id), 
	CONSTRAINT fk_steps_version_id FOREIGN KEY(version_id) REFERENCES question_versions (id), 
	CONSTRAINT uq_steps_round_id_position UNIQUE (round_id, position)
);
INSERT INTO "steps" VALUES(1,1,1,1,1,'["c", "a", "b"]',45,'2026-11-30',1796029200000000,1796029200000000,1796029245000000,0,1796029247000000);
INSERT INTO "steps" VALUES(2,2,1,2,2,'["b", "a", "c"]',NULL,NULL,1796029260000000,1796029260000000,NULL,0,NULL);
INSERT INTO "steps" VALUES(3,2,2,1,1,'["a", "b", "c"]',NULL,NULL,NULL,NULL,NULL,0,NULL);
INSERT INTO "steps" VALUES(4,2,3,3,3,'["c", "b", "a"]',NULL,NULL,NULL,NULL,NULL,0,NULL);
INSERT INTO "steps" VALUES(5,3,1,1,1,'["b", "a", "c"]',45,'2026-11-30',1796029260000000,1796029260000000,1796029305000000,0,1796029307000000);
INSERT INTO "steps" VALUES(6,3,2,3,3,'["b", "a", "c"]',45,'2026-11-30',1796029315000000,1796029315000000,1796029360000000,0,NULL);
INSERT INTO "steps" VALUES(7,3,3,2,2,'["c", "a", "b"]',45,NULL,NULL,NULL,NULL,0,NULL);
INSERT INTO "steps" VALUES(8,4,1,4,4,'[]',60,'2026-09-29',1790683200000000,NULL,NULL,0,1796040000000000);
INSERT INTO "steps" VALUES(9,5,1,4,4,'[]',60,'2026-10-01',1790856000000000,NULL,NULL,0,1796040000000000);
INSERT INTO "steps" VALUES(10,6,1,5,5,'[]',60,'2026-11-02',1793620800000000,NULL,NULL,0,1796040000000000);
INSERT INTO "steps" VALUES(11,7,1,5,5,'[]',60,'2026-11-02',1793620800000000,NULL,NULL,0,1796040000000000);
INSERT INTO "steps" VALUES(12,8,1,6,6,'[]',60,'2026-11-03',1793707200000000,NULL,NULL,0,1796040000000000);
INSERT INTO "steps" VALUES(13,9,1,5,5,'[]',60,'2026-11-21',1795262400000000,NULL,NULL,0,1796040000000000);
INSERT INTO "steps" VALUES(14,10,1,4,4,'[]',60,'2026-11-23',1795435200000000,NULL,NULL,0,1796040000000000);
CREATE TABLE timers (
	id INTEGER NOT NULL, 
	kind TEXT NOT NULL, 
	round_id INTEGER NOT NULL, 
	step_id INTEGER, 
	due_at BIGINT NOT NULL, 
	failures INTEGER DEFAULT '0' NOT NULL, 
	done_at BIGINT, 
	CONSTRAINT pk_timers PRIMARY KEY (id), 
	CONSTRAINT fk_timers_round_id FOREIGN KEY(round_id) REFERENCES rounds (id), 
	CONSTRAINT fk_timers_step_id FOREIGN KEY(step_id) REFERENCES steps (id)
);
INSERT INTO "timers" VALUES(1,'close',1,1,1796029247000000,0,1796029247000000);
INSERT INTO "timers" VALUES(2,'close',3,5,1796029307000000,0,1796029307000000);
INSERT INTO "timers" VALUES(3,'next',3,5,1796029315000000,0,1796029315000000);
INSERT INTO "timers" VALUES(4,'close',3,6,1796029362000000,0,NULL);
INSERT INTO "timers" VALUES(5,'early',3,6,1796029337500000,0,NULL);
CREATE TABLE totals (
	board_id INTEGER NOT NULL, 
	player_id INTEGER NOT NULL, 
	points INTEGER NOT NULL, 
	answered INTEGER NOT NULL, 
	"right" INTEGER NOT NULL, 
	CONSTRAINT pk_totals PRIMARY KEY (board_id, player_id), 
	CONSTRAINT fk_totals_board_id FOREIGN KEY(board_id) REFERENCES boards (id), 
	CONSTRAINT fk_totals_player_id FOREIGN KEY(player_id) REFERENCES players (id)
)
 WITHOUT ROWID

;
INSERT INTO "totals" VALUES(1,1,10,1,1);
INSERT INTO "totals" VALUES(1,2,0,2,0);
INSERT INTO "totals" VALUES(2,1,10,1,1);
INSERT INTO "totals" VALUES(2,2,0,2,0);
INSERT INTO "totals" VALUES(3,1,10,1,1);
INSERT INTO "totals" VALUES(3,2,0,2,0);
INSERT INTO "totals" VALUES(4,1,10,1,1);
INSERT INTO "totals" VALUES(4,2,0,2,0);
INSERT INTO "totals" VALUES(5,1,10,1,1);
INSERT INTO "totals" VALUES(5,2,0,2,0);
INSERT INTO "totals" VALUES(6,1,10,1,1);
INSERT INTO "totals" VALUES(6,2,0,2,0);
INSERT INTO "totals" VALUES(7,1,10,1,1);
INSERT INTO "totals" VALUES(7,2,0,2,0);
INSERT INTO "totals" VALUES(8,1,10,1,1);
INSERT INTO "totals" VALUES(8,2,0,2,0);
INSERT INTO "totals" VALUES(9,1,10,1,1);
INSERT INTO "totals" VALUES(9,2,0,2,0);
INSERT INTO "totals" VALUES(10,1,10,1,1);
INSERT INTO "totals" VALUES(10,2,0,2,0);
INSERT INTO "totals" VALUES(11,1,10,1,1);
INSERT INTO "totals" VALUES(11,2,0,2,0);
INSERT INTO "totals" VALUES(12,1,10,1,1);
INSERT INTO "totals" VALUES(12,2,0,2,0);
INSERT INTO "totals" VALUES(13,1,10,1,1);
INSERT INTO "totals" VALUES(13,2,0,2,0);
INSERT INTO "totals" VALUES(14,1,10,1,1);
INSERT INTO "totals" VALUES(14,2,0,2,0);
INSERT INTO "totals" VALUES(15,3,10,1,1);
INSERT INTO "totals" VALUES(15,4,0,1,0);
INSERT INTO "totals" VALUES(16,3,10,1,1);
INSERT INTO "totals" VALUES(16,4,0,1,0);
INSERT INTO "totals" VALUES(16,5,10,1,1);
INSERT INTO "totals" VALUES(17,3,10,1,1);
INSERT INTO "totals" VALUES(17,4,0,1,0);
INSERT INTO "totals" VALUES(18,3,10,1,1);
INSERT INTO "totals" VALUES(18,4,0,1,0);
INSERT INTO "totals" VALUES(19,3,40,4,4);
INSERT INTO "totals" VALUES(19,4,20,3,2);
INSERT INTO "totals" VALUES(19,5,10,2,1);
INSERT INTO "totals" VALUES(20,3,10,1,1);
INSERT INTO "totals" VALUES(20,4,0,1,0);
INSERT INTO "totals" VALUES(21,3,20,2,2);
INSERT INTO "totals" VALUES(21,4,10,2,1);
INSERT INTO "totals" VALUES(21,5,10,2,1);
INSERT INTO "totals" VALUES(22,3,10,1,1);
INSERT INTO "totals" VALUES(22,4,0,1,0);
INSERT INTO "totals" VALUES(23,3,10,1,1);
INSERT INTO "totals" VALUES(23,4,0,1,0);
INSERT INTO "totals" VALUES(24,3,10,1,1);
INSERT INTO "totals" VALUES(24,4,0,1,0);
INSERT INTO "totals" VALUES(25,3,10,1,1);
INSERT INTO "totals" VALUES(25,4,0,1,0);
INSERT INTO "totals" VALUES(26,3,40,4,4);
INSERT INTO "totals" VALUES(26,4,20,3,2);
INSERT INTO "totals" VALUES(26,5,0,1,0);
INSERT INTO "totals" VALUES(27,3,10,1,1);
INSERT INTO "totals" VALUES(27,4,0,1,0);
INSERT INTO "totals" VALUES(28,3,20,2,2);
INSERT INTO "totals" VALUES(28,4,10,2,1);
INSERT INTO "totals" VALUES(28,5,0,1,0);
INSERT INTO "totals" VALUES(29,5,10,1,1);
INSERT INTO "totals" VALUES(30,5,10,1,1);
INSERT INTO "totals" VALUES(31,3,10,1,1);
INSERT INTO "totals" VALUES(31,4,20,2,2);
INSERT INTO "totals" VALUES(31,5,10,1,1);
INSERT INTO "totals" VALUES(32,5,10,1,1);
INSERT INTO "totals" VALUES(33,5,10,1,1);
INSERT INTO "totals" VALUES(34,5,10,1,1);
INSERT INTO "totals" VALUES(35,5,10,1,1);
INSERT INTO "totals" VALUES(36,3,10,1,1);
INSERT INTO "totals" VALUES(36,4,10,1,1);
INSERT INTO "totals" VALUES(36,5,10,1,1);
INSERT INTO "totals" VALUES(37,3,10,1,1);
INSERT INTO "totals" VALUES(37,4,10,1,1);
INSERT INTO "totals" VALUES(37,5,10,1,1);
INSERT INTO "totals" VALUES(38,5,10,1,1);
INSERT INTO "totals" VALUES(39,5,10,1,1);
INSERT INTO "totals" VALUES(40,3,10,1,1);
INSERT INTO "totals" VALUES(40,4,10,1,1);
INSERT INTO "totals" VALUES(41,3,10,1,1);
INSERT INTO "totals" VALUES(41,4,20,2,2);
INSERT INTO "totals" VALUES(42,3,30,3,3);
INSERT INTO "totals" VALUES(42,4,20,2,2);
INSERT INTO "totals" VALUES(42,5,0,1,0);
INSERT INTO "totals" VALUES(43,3,10,1,1);
INSERT INTO "totals" VALUES(43,4,20,2,2);
INSERT INTO "totals" VALUES(44,3,20,2,2);
INSERT INTO "totals" VALUES(44,4,10,1,1);
INSERT INTO "totals" VALUES(45,3,20,2,2);
INSERT INTO "totals" VALUES(45,4,10,1,1);
INSERT INTO "totals" VALUES(46,3,10,1,1);
INSERT INTO "totals" VALUES(46,4,10,1,1);
INSERT INTO "totals" VALUES(47,3,10,1,1);
INSERT INTO "totals" VALUES(47,4,20,2,2);
INSERT INTO "totals" VALUES(48,3,30,3,3);
INSERT INTO "totals" VALUES(48,4,20,2,2);
INSERT INTO "totals" VALUES(48,5,0,1,0);
INSERT INTO "totals" VALUES(49,3,20,2,2);
INSERT INTO "totals" VALUES(49,4,10,1,1);
INSERT INTO "totals" VALUES(50,3,20,2,2);
INSERT INTO "totals" VALUES(50,4,10,1,1);
INSERT INTO "totals" VALUES(51,3,10,1,1);
INSERT INTO "totals" VALUES(51,4,10,1,1);
INSERT INTO "totals" VALUES(52,3,10,1,1);
INSERT INTO "totals" VALUES(52,4,10,1,1);
INSERT INTO "totals" VALUES(53,3,10,1,1);
INSERT INTO "totals" VALUES(53,4,10,1,1);
INSERT INTO "totals" VALUES(54,3,10,1,1);
INSERT INTO "totals" VALUES(54,4,10,1,1);
INSERT INTO "totals" VALUES(55,3,10,1,1);
INSERT INTO "totals" VALUES(55,4,10,1,1);
INSERT INTO "totals" VALUES(56,4,10,1,1);
INSERT INTO "totals" VALUES(57,3,10,1,1);
INSERT INTO "totals" VALUES(57,4,10,1,1);
INSERT INTO "totals" VALUES(57,5,0,1,0);
INSERT INTO "totals" VALUES(58,4,10,1,1);
INSERT INTO "totals" VALUES(59,3,10,1,1);
INSERT INTO "totals" VALUES(59,4,10,1,1);
INSERT INTO "totals" VALUES(59,5,0,1,0);
INSERT INTO "totals" VALUES(60,3,10,1,1);
INSERT INTO "totals" VALUES(61,3,10,1,1);
INSERT INTO "totals" VALUES(62,3,10,1,1);
INSERT INTO "totals" VALUES(63,3,10,1,1);
INSERT INTO "totals" VALUES(64,3,20,2,2);
INSERT INTO "totals" VALUES(64,5,0,1,0);
INSERT INTO "totals" VALUES(65,3,20,2,2);
INSERT INTO "totals" VALUES(65,5,0,1,0);
INSERT INTO "totals" VALUES(66,3,10,1,1);
INSERT INTO "totals" VALUES(66,5,0,1,0);
INSERT INTO "totals" VALUES(67,3,10,1,1);
INSERT INTO "totals" VALUES(67,5,0,1,0);
INSERT INTO "totals" VALUES(68,3,10,1,1);
INSERT INTO "totals" VALUES(68,5,0,1,0);
INSERT INTO "totals" VALUES(69,3,10,1,1);
INSERT INTO "totals" VALUES(69,5,0,1,0);
CREATE INDEX ix_rounds_community ON rounds (community_id, ended_at);
CREATE INDEX ix_rounds_place ON rounds (place_id, id);
CREATE INDEX ix_rounds_starter ON rounds (starter_id, mode, ended_at);
CREATE UNIQUE INDEX one_live_round_in_a_place ON rounds (place_id) WHERE mode = 'live' AND ended_at IS NULL;
CREATE INDEX ix_totals_ranking ON totals (board_id, points DESC, player_id);
CREATE UNIQUE INDEX one_that_counts ON attempts (player_id, question_id, counts);
CREATE INDEX ix_outbox_due ON outbox (due_at) WHERE state IN ('due', 'claimed');
CREATE INDEX ix_outbox_place ON outbox (place_id, id);
CREATE INDEX ix_outbox_round ON outbox (round_id);
CREATE INDEX ix_outbox_edits ON outbox (edits);
CREATE INDEX ix_outbox_step ON outbox (step_id);
CREATE INDEX ix_timers_due ON timers (due_at) WHERE done_at IS NULL;
CREATE INDEX ix_timers_round ON timers (round_id);
CREATE UNIQUE INDEX one_round_of_a_call ON rounds (community_id, call_id);
CREATE INDEX ix_rounds_open ON rounds (community_id, mode) WHERE mode = 'open' AND ended_at IS NULL;
CREATE INDEX ix_schedules_due ON schedules (next_at) WHERE next_at IS NOT NULL;
CREATE INDEX ix_schedules_community ON schedules (community_id);
CREATE INDEX ix_standing_boards_community ON standing_boards (community_id);
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('rounds',10);
INSERT INTO "sqlite_sequence" VALUES('steps',14);
COMMIT;

"""First and last names of many origins, and the other proper words (cities, companies, streets)."""

FIRST = """
Joan Miller? Abigail Adele Agnes Albert Alejandra Alistair Althea Alvin Amara Amelia Anders Andrea Aneesa Angus Anika
Anneliese Annika Antonella Arjun Armando Arthur Arturo Astrid Audrey Augustus Aurelio Aurora Ayesha Aziz Babak Barnaby
Beatriz Bernadette Bertha Bilal Birgit Bjarne Blanca Bogdan Bonnie Boris Brandon Brenda Bridget Bronwyn Bruno Caleb
Camille Carlotta Carmen Cassandra Cecilia Cedric Chantal Charlene Chidi Chiara Chinedu Ciara Clarence Claudio Clementine
Clifford Colette Connor Consuelo Cordelia Craig Cristina Curtis Cyril Dagmar Daisy Dalia Damian Daphne Darnell Darren
Deborah Declan Deepak Delphine Demetrius Denise Derek Desmond Devon Diego Dieter Dilip Dimitri Dinesh Dolores Dominik
Donovan Dorothy Duncan Dwayne Edith Eduardo Edwin Efua Eilidh Elena Elias Elif Eloise Elsa Emeka Emiliano Emre Enrique
Erin Ernesto Esperanza Esther Eugene Eun-ji Evangeline Ewa Fabian Farah Fatima Federica Felicity Fernanda Fiona Florence
Francesca Françoise Frederick Freya Gabriela Gareth Geoffrey Georgina Gerald Giovanni Gisela Gladys Goran Graham Greta
Guadalupe Guillermo Gustavo Gwendolyn Hakim Hamish Hannelore Harriet Hassan Hazel Heidi Helmut Henrietta Hiroshi Horst
Hortense Hugo Ibrahim Ifeoma Ignacio Imogen Indira Ines Ingrid Irina Isaac Isabella Ishaan Ivan Jacqueline Jamal Jana
Jasmine Javier Jean-Pierre Jelena Jermaine Jessica Joaquín Jocelyn Johanna Jorge Josefina Joyce Juanita Judith Jürgen
Kaitlyn Kamal Kareem Karolina Kasper Katarzyna Kavita Keisha Kelvin Kenji Khadija Kieran Kimberly Klaus Krzysztof Kwame
Kyle Lakshmi Lamar Latisha Laurence Leandro Leila Leonard Leticia Liam Lieselotte Lionel Ljubica Lloyd Lorenzo Lorraine
Louise Lucia Ludwig Luisa Lydia Maeve Magdalena Malcolm Malik Manuela Marcel Margaret Marguerite Mariam Marisol Marlene
Marta Mateo Mathilde Matthias Maurice Mei-Ling Melissa Mercedes Meredith Mihai Mikhail Milagros Mildred Mirela Mohammed
Moira Monique Mònica Muhammad Murat Myrtle Nadia Naomi Natasha Neil Ngozi Niamh Nicolás Nigel Nikhil Nina Noor Norma
Octavia Odette Olaf Olga Oliver Omar Ophelia Orlando Oscar Otto Owen Paloma Pascal Patience Patrick Paulina Pedro Percy
Petra Phillip Phyllis Pilar Piotr Prakash Priya Quentin Rachel Rafael Rajesh Ramona Ranjit Raúl Rebecca Reginald Renata
Rhys Rick Roberta Rodrigo Roland Romina Rosalind Roshan Rowan Roxanne Ruben Rupert Ruth Saanvi Sabine Salma Samantha
Samuel Sandeep Sanjay Saoirse Sergio Shanice Shanthi Shauna Sheila Shirley Siobhán Sigrid Silvia Simon Sofía Solveig
Soraya Stanisław Stella Stuart Sunita Suresh Svetlana Sylvester Tamara Tanisha Tariq Tatiana Terrence Thandiwe Theodora
Thérèse Thomas Tiffany Tobias Tomasz Trevor Tyrone Ulrike Ursula Valeria Vanessa Vernon Veronica Vijay Vikram Violet
Virginia Vladimir Waleed Walter Wanda Wendy Wilhelm Winifred Wolfgang Xavier Ximena Yasmin Yolanda Yuki Yusuf Yvonne
Zachary Zainab Zofia Zoltan
""".replace("Miller?", "").split()

LAST = """
Abbott|Abernathy|Abubakar|Acheampong|Acosta|Adeyemi|Agarwal|Aguilar|Ahmed|Akhtar|Albrecht|al-Hassan|al-Rashid|Alvarado
Amato|Andersson|Andrade|Antonopoulos|Appiah|Araújo|Arellano|Armitage|Arnold|Ashworth|Atkinson|Aubert|Avila|Ayala|Baczyk
Bailey|Bakker|Balasubramanian|Baldwin|Banerjee|Baptiste|Barbosa|Barker|Barnett|Barrientos|Bartlett|Batista|Bauer|Baxter
Becker|Bellamy|Beltrán|Benítez|Bergmann|Bernardi|Bertrand|Bhattacharya|Bianchi|Birch|Blackwood|Blanchard|Blum|Bogdanov
Boucher|Bradford|Brandt|Braun|Brennan|Briggs|Brzezinski|Buchanan|Buckley|Burgess|Busch|Byrne|Caballero|Calloway|Cameron
Campos|Cardoso|Carmichael|Caruso|Castellanos|Castillo|Cattaneo|Cervantes|Chakraborty|Chamberlain|Chandrasekhar|Chaudhry
Chavez|Chevalier|Chinwe|Cho|Christensen|Clarke|Clement|Coleman|Colombo|Connolly|Contreras|Conti|Cooper|Cordero|Cortez
Coulibaly|Covington|Crawford|Crosby|Cruickshank|Cunningham|Czarnecki|D'Angelo|D'Souza|da Silva|Dąbrowski|Dahl|Dalton
Danielsson|Das|Davenport|de Jong|de la Cruz|de la Torre|De Luca|de Oliveira|de Souza|del Valle|Delacroix|Delgado|Demir
Deshpande|Desrosiers|Di Stefano|Diallo|Dietrich|Dimitrov|dos Santos|Dominguez|Donnelly|Dreyer|Drummond|Dubois|Duffy
Dumont|Duncan|Durand|Dvořák|Eastwood|Eberhardt|Echevarría|Edwards|Egan|Eklund|El-Sayed|Ellison|Emerson|Engel|Eriksen
Escobar|Espinoza|Esposito|Estrada|Fairchild|Farouk|Farrell|Faulkner|Feldman|Ferguson|Fernandes|Ferrari|Figueroa
Fischer|Fitzgerald|Fitzpatrick|Fleming|Fontaine|Forster|Fournier|Fraser|Friedrich|Fuentes|Fujimoto|Gagnon|Gallagher
Gallo|Gamboa|Garner|Garrison|Gauthier|Gebhardt|Georgiou|Ghosh|Gilbert|Gill|Girard|Goldberg|Gomes|Gonçalves|Goodwin
Gordon|Gottlieb|Grabowski|Graham|Greco|Griffiths|Grimaldi|Guerrero|Gupta|Gustafsson|Gutiérrez|Haddad|Hagen|Hakimi
Halloran|Hamilton|Hammond|Hansen|Harding|Hargreaves|Harrington|Hartmann|Hashimoto|Hawkins|Hayes|Heinrich|Henderson
Hendricks|Herrera|Hidalgo|Higgins|Hinojosa|Ho|Hofmann|Hollis|Holmberg|Horvat|Houghton|Huang|Hughes|Hussain|Hutchinson
Ibarra|Ibrahim|Ingram|Ishikawa|Iqbal|Ivanov|Iyer|Jablonski|Jacobs|Jäger|Jankowski|Jansen|Jaramillo|Jensen|Jimenez
Johansson|Jovanović|Juárez|Kaczmarek|Kamara|Kaminski|Kang|Kapoor|Karlsson|Katz|Kaufmann|Kaur|Kavanagh|Keller|Kennedy
Khalil|Khan|Kim|Kipkemboi|Kirchner|Klein|Kobayashi|Koch|Kovács|Kowalczyk|Kozłowski|Krause|Krishnamurthy|Krüger|Kulkarni
Lachance|Lambert|Lancaster|Langley|Larsen|Laurent|Lavoie|Lazarus|Le Goff|Leblanc|Leclerc|Lehmann|Lewandowski|Lindqvist
Lombardi|Longoria|López|Lowe|Lozano|Lundgren|Lynch|MacDonald|Macalister|Machado|Mahmoud|Maier|Maldonado|Mancini|Marchetti
Marques|Martinelli|Mascarenhas|Mbeki|McAllister|McCarthy|McDermott|McIntyre|McKenzie|McNamara|Medeiros|Mehta|Mendoza
Menon|Mercier|Meyer|Middleton|Mikhailov|Mohamud|Molina|Montgomery|Moreau|Morita|Moriarty|Müller-Lüdenscheidt|Mukherjee
Muñoz|Murphy|Nakamura|Narayan|Ndiaye|Neumann|Ng|Nguyen|Nicolaou|Nielsen|Nkemelu|Noble|Novak|Núñez|Nwosu|O'Brien
O'Connell|O'Donnell|O'Hara|O'Neill|O'Sullivan|Obi|Ochoa|Okafor|Okonkwo|Olofsson|Olsen|Onyango|Oppenheimer|Orellana|Ortega
Osborne|Ospina|Otieno|Owusu|Pacheco|Padilla|Pak|Palmer|Papadopoulos|Parekh|Park|Parsons|Patel|Pawlak|Peña|Penhaligon
Pereira|Perrin|Petersen|Petrov|Pfeiffer|Phạm|Phillips|Pinto|Pires|Popescu|Prescott|Quigley|Quintero|Rafferty|Raghunathan
Rahman|Ramanathan|Ramírez|Rao|Rasmussen|Redmond|Reyes|Reinhardt|Ricci|Richter|Riley|Rinaldi|Rivera|Robichaud|Rocha
Rojas|Romano|Rosenberg|Rossi|Roussel|Rowe|Ruiz|Russo|Saavedra|Salazar|Salvatore|Sanderson|Santiago|Santoro|Sato|Saunders
Schäfer|Schmidt|Schneider|Schröder|Schultz|Serrano|Shah|Shapiro|Sharma|Sheridan|Siddiqui|Silva|Singh|Sinclair|Sørensen
Sokolov|Soto|Spencer|St. Clair|Stafford|Steiner|Stephenson|Subramaniam|Sutherland|Suzuki|Svensson|Szymański|Takahashi
Tan|Tavares|Teixeira|ter Horst|Thibault|Thornton|Toledo|Tomlinson|Torres|Tran|Tremblay|Trujillo|Tshabalala|Tuan|Turner
Ueda|Underwood|Uribe|Valdez|van den Heuvel|van der Berg|van Dijk|Vargas|Vasquez|Vaughan|Venkatesan|Verhoeven|Vidal
Villanueva|Vogel|von Stein|Vu|Wagner|Wainwright|Walczak|Wallace|Walsh|Wang|Waters|Weber|Weinstein|Wentworth|Whitaker
Whitfield|Wickramasinghe|Wilkinson|Winters|Wojciechowska|Wong|Woodward|Wu|Wyatt|Xu|Yamamoto|Yeo|Yıldız|Yoder|Yoon|Young
Zambrano|Zapata|Zhang|Zhou|Ziegler|Zielinski|Zimmermann|Smith|Johnson|Williams|Brown|Jones|Davis|Wilson|Taylor|Moore|Lee
Green|Baker|Bush|Bird|Cook|Day|English|Field|Fish|Grant|Hope|King|Long|Love|May|Park|Price|Rich|Short|Stone|Wolf|Wood
""".strip().replace("\n", "|").split("|")

BY_LANGUAGE = {
    "es": ("Alejandra Beatriz Carmen Diego Eduardo Elena Enrique Ernesto Guadalupe Ignacio Javier Joaquín Josefina Leticia "
           "Marisol Mateo Nicolás Paloma Pilar Rafael Raúl Rodrigo Sofía Ximena Yolanda".split(),
           "Acosta|Aguilar|Benítez|de la Cruz|Delgado|Echevarría|Gutiérrez|Herrera|Ibarra|Juárez|López|Maldonado|Muñoz|Núñez|"
           "Ochoa|Peña|Quintero|Ramírez|Serrano|Villanueva|Zapata|del Valle|García Lorca|Ruiz".split("|")),
    "fr": ("Adele Camille Chantal Clementine Colette Delphine Eloise Françoise Hortense Jacqueline Jean-Pierre Laurence Louise "
           "Marcel Marguerite Mathilde Maurice Monique Odette Pascal Quentin Thérèse Thomas Xavier Yvonne".split(),
           "Aubert|Bertrand|Blanchard|Boucher|Chevalier|Clement|Delacroix|Desrosiers|Dubois|Durand|Fontaine|Fournier|Gauthier|"
           "Girard|Lambert|Laurent|Le Goff|Leclerc|Mercier|Moreau|Perrin|Roussel|Thibault|de Villiers|N'Diaye".split("|")),
    "de": ("Anneliese Astrid Birgit Dagmar Dieter Dominik Gisela Greta Hannelore Heidi Helmut Horst Jana Johanna Jürgen Klaus "
           "Lieselotte Ludwig Marlene Matthias Otto Petra Sabine Tobias Ulrike Ursula Wilhelm Wolfgang Emre Elif".split(),
           "Albrecht|Bauer|Becker|Bergmann|Brandt|Braun|Busch|Dietrich|Eberhardt|Engel|Fischer|Gebhardt|Hartmann|Hofmann|Jäger|"
           "Kirchner|Koch|Krause|Krüger|Lehmann|Müller-Lüdenscheidt|Neumann|Pfeiffer|Schäfer|Schröder|von Stein|Yıldız|Zimmermann"
           .split("|")),
    "pt": ("Antônio Beatriz Bruno Camila Cecília Eduardo Fernanda Gabriela Gustavo Inês João Joaquim Leandro Luísa Manuela "
           "Marcos Mateus Otávio Pedro Rafael Renata Rodrigo Sílvia Thiago Vanessa".split(),
           "Andrade|Araújo|Barbosa|Batista|Campos|Cardoso|da Silva|de Oliveira|de Souza|dos Santos|Fernandes|Gomes|Gonçalves|"
           "Machado|Marques|Medeiros|Pacheco|Pereira|Pinto|Pires|Rocha|Tavares|Teixeira".split("|")),
    "it": ("Adele Alessandro Antonella Aurora Bruno Carlotta Chiara Claudio Cristina Elena Federica Francesca Gabriele Giovanni "
           "Giulia Ilaria Lorenzo Lucia Luisa Marta Matteo Paola Romina Sergio Silvia Valeria".split(),
           "Amato|Bernardi|Bianchi|Caruso|Cattaneo|Colombo|Conti|D'Angelo|De Luca|Di Stefano|Esposito|Ferrari|Gallo|Greco|"
           "Grimaldi|Lombardi|Mancini|Marchetti|Martinelli|Ricci|Rinaldi|Romano|Rossi|Russo|Santoro".split("|")),
}

CITIES = {
    "en": "Springfield|Austin|Leeds|Manchester|Brisbane|Toronto|Pune|Denver|Portland|Bristol|Perth|Calgary|San Diego|Tulsa|"
          "Cardiff|Glasgow|Baton Rouge|Des Moines|Ottawa|Adelaide|Newcastle|Fort Worth|Boise|Norwich|Hyderabad".split("|"),
    "es": "Madrid|Sevilla|Valencia|Guadalajara|Bogotá|Rosario|Lima|Zaragoza|Monterrey|Quito".split("|"),
    "fr": "Lyon|Marseille|Lille|Nantes|Bordeaux|Québec|Bruxelles|Genève|Rennes|Toulouse".split("|"),
    "de": "Berlin|Hamburg|Köln|München|Leipzig|Wien|Zürich|Dresden|Kassel|Freiburg".split("|"),
    "pt": "Lisboa|Porto|São Paulo|Recife|Curitiba|Coimbra|Belo Horizonte|Braga|Salvador".split("|"),
    "it": "Milano|Torino|Bologna|Napoli|Firenze|Bari|Verona|Genova|Palermo".split("|"),
}
COMPANIES = ("Northwind|Brightline Energy|Acme Telecom|Harbor Mutual|Pinecrest Bank|Evergreen Insurance|Skylark Airlines|Blue Fern|"
             "Riverside Dental|Metro Gas|Halcyon Hotels|Summit Outfitters|Orchard Broadband|Lakeside Clinic|Parcel Pigeon").split("|")
PRODUCTS = ("router|washing machine|mattress|laptop|headphones|dishwasher|air fryer|tablet|espresso machine|winter jacket|"
            "television|bookshelf|running shoes|thermostat|vacuum cleaner|phone case|toaster|bike helmet").split("|")
PRODUCTS_BY = {"es": "router|lavadora|colchón|portátil|televisor".split("|"), "fr": "routeur|matelas|ordinateur|lave-linge|casque".split("|"),
               "de": "Router|Matratze|Laptop|Waschmaschine|Kopfhörer".split("|"), "pt": "roteador|colchão|notebook|televisor".split("|"),
               "it": "router|materasso|portatile|lavatrice|televisore".split("|")}
BRANDS = "Visa|Mastercard|American Express|Discover|Visa Debit|Maestro|Amex".split("|")
